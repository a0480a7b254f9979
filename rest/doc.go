// Package rest is /v1: the contract of SPEC.md over HTTP and JSON, with its openapi.json and a
// page that shows it.
//
// A request comes through package auth and with loaders in its context. A handler reads its
// parameters (params.go) or its body (body.go), strictly, and calls the resolvers' methods
// (generated.ResolverRoot). So /v1 and GraphQL cannot disagree about a record. It writes the
// result field by field (json.go) into a body that is compressed, tagged, perhaps cached, and
// sent (answer.go). Errors become one body of two strings (errors.go). Each record family has a
// file with its handlers and the shape of its bodies.
//
// Only what the contract alone says lives here: clamping, capitals, snake_case, addresses, error
// bodies. There are no queries, no rules about records, and no checks of keys or limits. The gaps
// of SPEC.md are filled by DECISIONS.md. Package internal/service mounts New at /v1 and puts
// RequestID, Recover and the middlewares of auth around it. Package resttest compares every
// response that a test sees with openapi.json.
package rest
