package transport

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/core"
)

// Validation of a document of mistakes ends at those that are shown, and compares no further name.
func TestValidationEndsWithTheMistakesThatAreShown(t *testing.T) {
	t.Parallel()
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: `type Query { county: String }`})
	require.NoError(t, err)
	validate := func(unknown int) (visited int, errs gqlerror.List) {
		var b strings.Builder
		for i := range unknown {
			fmt.Fprintf(&b, " conty%d", i)
		}
		doc, err := parser.ParseQuery(&ast.Source{Input: "{ county " + b.String() + " }"})
		require.NoError(t, err)
		rules := fewMistakes()
		rules.AddRule("Visited", func(observers *core.Events, _ core.AddErrFunc) {
			observers.OnField(func(*core.Walker, *ast.Field) { visited++ })
		})
		defer mistakes(&errs)
		return 0, validator.ValidateWithRules(schema, doc, rules)
	}
	_, errs := validate(0)
	require.Empty(t, errs)
	_, errs = validate(shownErrors - 1)
	require.Len(t, errs, shownErrors-1)
	visited, errs := validate(900)
	require.Len(t, errs, shownErrors)
	require.Equal(t, shownErrors, visited, "the one that is known, and those before the last mistake")
	require.Contains(t, errs[shownErrors-1].Message, `"conty19"`)
	require.Contains(t, errs[0].Message, `Did you mean "county"?`)
	require.Equal(t, "FieldsOnCorrectType", errs[0].Rule)
	require.Equal(t, "GRAPHQL_VALIDATION_FAILED", errs[0].Extensions["code"])
	require.PanicsWithValue(t, "another", func() {
		defer mistakes(&errs)
		panic("another")
	})
}
