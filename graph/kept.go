package graph

import (
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rollcall/internal/answers"
	"rollcall/models"
)

// keptText bounds the operations whose answers are kept, in bytes of text with variables.
const keptText = 8 << 10

// keyOf tells one request from another whose answer may differ. Empty: its answer is not kept.
func keyOf(method, media string, text []byte) string {
	if len(text) > keptText || media == eventMedia {
		return ""
	}
	if method != http.MethodPost {
		method = http.MethodGet
	}
	return method + media + " " + string(text)
}

// find gives the answer that is kept. An operation may show records of every family.
func (h *handler) find(key string) (body []byte, ok bool, at answers.Moment) {
	if key == "" {
		return nil, false, at
	}
	return h.kept.Find(key, models.Roster, models.Courts, models.Corrections)
}

// recordRoots are the fields of Query that show the same records to every caller.
var recordRoots = map[string]bool{
	"roster": true, "rosterRecord": true, "courts": true, "courtCases": true, "corrections": true, "correctionsRecord": true,
	"counties": true, "node": true, "__typename": true,
}

// unsteadyFields change without a change of the records: with the clock, or with a look at the source.
var unsteadyFields = map[string]bool{"source": true, "lastSeen": true, "sources": true}

// steady says whether the answer of an operation depends on nothing but records.
func steady(op *graphql.OperationContext) bool {
	if op.Operation.Operation != ast.Query {
		return false
	}
	return allFields(op.Operation.SelectionSet, func(f *ast.Field) bool { return recordRoots[f.Name] }, false) &&
		allFields(op.Operation.SelectionSet, func(f *ast.Field) bool { return !unsteadyFields[f.Name] }, true)
}

// allFields says whether holds is true of the fields of a selection, and of those below when deep.
func allFields(set ast.SelectionSet, holds func(*ast.Field) bool, deep bool) bool {
	for _, s := range set {
		ok := true
		switch s := s.(type) {
		case *ast.Field:
			ok = holds(s) && (!deep || allFields(s.SelectionSet, holds, deep))
		case *ast.InlineFragment:
			ok = allFields(s.SelectionSet, holds, deep)
		case *ast.FragmentSpread:
			ok = allFields(s.Definition.SelectionSet, holds, deep)
		}
		if !ok {
			return false
		}
	}
	return true
}
