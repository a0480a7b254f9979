package limit

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"
)

// mostName is the longest name in a document, in bytes. Those of the schema are shorter. Validation compares a name that it
// does not know with all that it could mean, and says it again in its message.
const mostName = 100

// Names refuses a document that has a longer name than any that a schema has. It stops at text that is no GraphQL.
func Names(query string) *gqlerror.Error {
	if len(query) <= mostName {
		return nil
	}
	words := lexer.New(&ast.Source{Input: query})
	for {
		switch token, err := words.ReadToken(); {
		case err != nil || token.Kind == lexer.EOF: // the parser says what is wrong
			return nil //nolint:nilerr // it reads the text again
		case token.Kind == lexer.Name && len(token.Value) > mostName:
			return Over("name", len(token.Value), mostName, "bytes in a name")
		}
	}
}
