// Package graph is the GraphQL interface: schema/<topic>.graphqls, with <topic>.resolvers.go beside
// it. Packages transport, limit and playground below it hold the HTTP handler with the error presenter,
// the limits of an operation and the page to try one on.
//
// A request comes from package auth with its caller in the context. The handler reads one
// operation, refuses what is over the limits, and executes it through gqlgen. A root resolver makes
// one call of store.Store; a field below it makes one call of a loader (package graph/loader),
// which reads for the whole list. The presenter turns every error into a message and
// extensions.code.
//
// Package rest answers /v1 through the methods of the same resolvers. So a resolver also runs
// outside a GraphQL operation, and never touches gqlgen's operation or field context. It checks the
// account, the defaults and the bounds by calls at its top, never by directives or defaults of the
// schema.
//
// The package holds no SQL, no *gorm.DB and no rule about records. What a record is and who may see
// it is decided in packages resolve and models.
package graph

//go:generate go run ./plan/gen
