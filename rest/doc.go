// Package rest is /v1: the contract of the specification over HTTP and JSON, with its openapi.json
// and a page that shows it. One file a record family holds the handlers and the shape of the
// bodies; params.go, errors.go and answer.go hold what they share.
//
// It reads through the resolvers' methods (generated.ResolverRoot), so that /v1 and GraphQL cannot
// disagree. Only what the contract alone says lives here: clamping, capitals, snake_case, addresses,
// error bodies. No queries, no rules about records, no checks of keys or limits.
package rest
