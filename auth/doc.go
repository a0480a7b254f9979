// Package auth knows who calls and what they may do: API keys, passwords, passkeys and sessions, the caller in a
// request's context, the plan check, the rate limit, the slowing of floods without a key, and cross-origin rules.
//
// A request passes Guard.Authenticate (401), RequirePlan (403) and Limit (429), in that order, and comes out with a
// Caller in its context. Pages of the service come with a session instead of a key. Packages rest, graph and web read
// the caller; none of them checks a key itself.
//
// It is for the border of the process only. What an account owns is decided in models, and error bodies are written
// by the router (see Reject). The rules are those of DECISIONS.md, "Keys, plans, limits, errors".
package auth
