// Package graph is the GraphQL interface: schema/<topic>.graphqls, <topic>.resolvers.go beside it,
// loaders, error presenter, limits and the HTTP handler. Package rest calls the same resolvers.
//
// A resolver is one call of store.Store or of a loader. Resolvers run outside a GraphQL operation
// too, so they never touch gqlgen's operation or field context. No SQL and no *gorm.DB here.
package graph

//go:generate go run ./plan/gen
