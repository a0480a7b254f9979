// Package auth knows who calls and what they may do: API keys, the caller in a request's context, the plan check, the
// rate limit, the slowing of floods without a key, and cross-origin rules. It is for the border of the process only: what
// an account owns is models' business, and error bodies are written by the router (see Reject).
//
// The rules are those of DECISIONS.md, "Keys, plans, limits, errors".
package auth
