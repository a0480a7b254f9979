// The types of operations, which gql.tada infers from their text and from schema.d.ts. Modules name them in comments; browsers never
// get this file.
import type { initGraphQLTada, ResultOf, TadaDocumentNode, VariablesOf } from "gql.tada";
import type { introspection } from "./schema";

type Scalars = { Date: string; DateTime: string };

export type Gql = initGraphQLTada<{ introspection: introspection; disableMasking: true; scalars: Scalars }>;
export type Operation<Data, Variables> = TadaDocumentNode<Data, Variables, any>;

/** What an operation or a fragment brings, as DataOf<typeof query>, and what an operation takes. */
export type { ResultOf as DataOf, VariablesOf };

type Options = { signal?: AbortSignal; once?: string; stay?: boolean };

/** What follows an operation that is asked: its variables, which may be left out where it needs none. */
export type Given<Variables> = {} extends Variables ? [variables?: Variables, options?: Options] : [variables: Variables, options?: Options];

/** The state of a connection, and with "lost" the seconds until the next try. */
export type State = [state: "connecting" | "live" | "lost", seconds?: number];

/** A subscription to follow, and who hears of it. */
export type Followed<Data> = {
  query: Operation<Data, { after?: string }>;
  after?: string;
  onEvent: (data: Data) => string | void;
  onState: (...state: State) => void;
  stay?: boolean;
};
