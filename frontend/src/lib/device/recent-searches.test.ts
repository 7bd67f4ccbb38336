import { beforeEach, describe, expect, it } from "vitest";
import { clearSearches, recentSearches, rememberSearch } from "./recent-searches";

describe("recent searches", () => {
  beforeEach(() => localStorage.clear());

  it("are six, the newest first, and each once", () => {
    for (const search of ["a", "b", "c", "d", "e", "f", "g", "C"]) {
      rememberSearch(search);
    }
    expect(recentSearches()).toEqual(["C", "g", "f", "e", "d", "b"]);
  });

  it("are empty when their storage is damaged or cleared", () => {
    localStorage.setItem("recent-searches", "{");
    expect(recentSearches()).toEqual([]);
    localStorage.setItem("recent-searches", '{"a": 1}');
    expect(recentSearches()).toEqual([]);
    rememberSearch("tea");
    clearSearches();
    expect(recentSearches()).toEqual([]);
  });
});
