// Command gen runs gqlgen as gqlgen.yml says, with one plugin more, which writes
// graph/generated/plans.go (docs/decisions/0007-plans.md). `go generate ./graph` calls it; nothing
// imports it.
package main

import (
	"io"
	"log" //nolint:depguard // gqlgen notes there which fields need a resolver
	"os"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen/config"
)

// main silences gqlgen's notes on standard log: it lists there each field that needs a resolver.
func main() {
	log.SetOutput(io.Discard)
	if err := generate(); err != nil {
		_, _ = os.Stderr.WriteString("generate GraphQL: " + err.Error() + "\n")
		os.Exit(1)
	}
}

// generate writes all generated files of package graph/generated and the resolvers' files.
func generate() error {
	cfg, err := config.LoadConfigFromDefaultLocations()
	if err != nil {
		return err
	}
	return api.Generate(cfg, api.AddPlugin(plugin{}))
}
