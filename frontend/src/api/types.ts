import type { CardBody, State } from "../../generated/api";

/** Types of the API by the names that the app uses; `npm run types` makes them from assets/openapi.json. */
export type {
  AccentColours,
  ActivityBody as Activity,
  ActivityResponse as ActivityPage,
  AlikeResponse as Alike,
  BulkResponse as BulkOutcome,
  Category,
  ComparedBody as Compared,
  ErrorCode,
  FacetsResponse as Facets,
  HomeResponse as Home,
  ImportResponse as ImportReport,
  LeftOutResponse as LeftOutPage,
  ListMetaBody as ListMeta,
  MessageResponse as Message,
  MoverBody as Mover,
  NeedsResponse as Needs,
  OfferRequest as Offer,
  OverviewResponse as Overview,
  PageResponse as OwnerPage,
  Palette,
  PickBody as Pick,
  PriceHistoryResponse as PriceHistory,
  ProductBody as Product,
  ProductRequest,
  ReportResponse as Report,
  RowBody as ReportRow,
  SettingsResponse as ShopSettings,
  SignInResponse as SignedIn,
  SourceBody as Source,
  SourceRules,
  SourcesResponse as Sources,
  StatesResponse as StateCounts,
  StepBody as Step,
  TileBody as Tile,
  UserBody as User,
  VerdictBody as PriceVerdict,
} from "../../generated/api";

/** A product in short. The server sends only live products as cards; the app makes cards of others too. */
export type Card = CardBody & { state?: State };
