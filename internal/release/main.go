// Command release keeps what the last release promised: openapi.json and the GraphQL schema of that day, in docs/release. Its
// tests fail when the service of today breaks a client that was written for them: something removed, a changed type, or
// something newly required. Additions pass. Whoever releases renews the files, with the commit that names the version:
//
//	go run ./internal/release
//
// The changes of openapi.json are judged by oasdiff, which .ci/tools builds, and those of payloads that promise no further
// member by Frozen; those of the schema by Breaking.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"rollcall/graph/generated"
	"rollcall/rest"
)

const (
	openAPIFile = "openapi.json"
	schemaFile  = "schema.graphqls"
)

// main writes the files anew.
func main() {
	dir := flag.String("dir", "docs/release", "directory of the files")
	flag.Parse()
	if err := write(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// write writes both files into a directory that exists.
func write(dir string) error {
	text, err := openAPI()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, openAPIFile), text, 0o600); err != nil {
		return fmt.Errorf("write openapi.json: %w", err)
	}
	var b bytes.Buffer
	formatter.NewFormatter(&b).FormatSchema(schema())
	if err := os.WriteFile(filepath.Join(dir, schemaFile), b.Bytes(), 0o600); err != nil {
		return fmt.Errorf("write the schema: %w", err)
	}
	return nil
}

// openAPI returns openapi.json of today, indented so that its history can be read.
func openAPI() ([]byte, error) {
	text, err := rest.OpenAPI("/v1")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", " "); err != nil {
		return nil, fmt.Errorf("indent openapi.json: %w", err)
	}
	return b.Bytes(), nil
}

// schema returns the GraphQL schema of today.
func schema() *ast.Schema { return generated.NewExecutableSchema(generated.Config{}).Schema() }
