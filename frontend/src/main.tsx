import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { readServed } from "./api/served";
import { App } from "./app/app";
import "./styles.css";

const root = document.getElementById("root");
if (root) {
  const app = (
    <StrictMode>
      {/* Who leaves a screen before something changes on it must have left it then. */}
      <BrowserRouter useTransitions={false}>
        <App served={readServed()} />
      </BrowserRouter>
    </StrictMode>
  );
  // The list and the details come with their content, which is taken over as it is.
  if (root.firstElementChild) {
    hydrateRoot(root, app);
  } else {
    createRoot(root).render(app);
  }
}
