package shown_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"rollcall/graph/shown"
	"rollcall/models"
)

// facts are fields that say something of a person's record, or which record it is.
var facts = []string{"rosterId", "gdcId", "recordId", "caseId", "defendant", "bookingDate", "record", "records", "reasons"}

// types are the types of the schema that have such fields. Each is a value that is noted, or has the reason why it need not be.
var types = map[string]any{
	"RosterRecord":      &models.Booking{ID: "it"},
	"CorrectionsRecord": &models.CorrectionsRecord{GdcID: "it"},
	"GdcMatch":          &models.GdcLink{GdcID: "it"},
	"CountyRecord":      &models.CountyRecord{GdcLink: &models.GdcLink{GdcID: "it"}, Record: &models.Booking{ID: "it"}},
	"AlertHit":          &models.Hit{RecordID: "it"},
	"EventFacts":        &models.EventFacts{RecordID: "it"},
	"CalendarFeed":      &models.CalendarSubscription{CaseID: "it"},
	"AlertEvent":        "its record and facts are fields of their own",
	"AlertNotice":       "no mutation returns it, and it holds the id of its record",
	"Change":            "no mutation returns it, and its record is a field of its own",
	"CourtLink":         "it says what agrees and not of whom: records are fields of their own, and it hangs below one",
	"PersonLink":        "no mutation returns a person",
	"PossibleRecord":    "no mutation returns a person",
	"SimilarName":       "no mutation returns it, and its record is a field of its own",
	"CorrectionsPage":   "a list of records",
	"CourtPage":         "a list of records",
	"RosterPage":        "a list of records",
	"CourtCase":         &models.CourtCase{Key: 7, County: &models.County{Slug: "it"}},
}

// A kept answer that shows a record is forgotten with it: no type of the schema that shows one is unknown here.
func TestEachTypeThatShowsARecordIsNoted(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../schema/*.graphqls")
	require.NoError(t, err)
	var found []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		doc, err := parser.ParseSchema(&ast.Source{Name: name, Input: string(text)})
		require.NoError(t, err)
		for _, d := range slices.Concat(doc.Definitions, doc.Extensions) {
			if d.Kind == ast.Object && d.Name != "Query" && slices.ContainsFunc(d.Fields, func(f *ast.FieldDefinition) bool { return slices.Contains(facts, f.Name) }) {
				found = append(found, d.Name)
			}
		}
	}
	slices.Sort(found)
	require.Equal(t, slices.Sorted(maps.Keys(types)), slices.Compact(found))
	for name, value := range types {
		if _, reason := value.(string); reason {
			continue
		}
		op := &graphql.OperationContext{ResolverMiddleware: func(ctx context.Context, next graphql.Resolver) (any, error) { return next(ctx) }}
		noted := shown.Note(op)
		_, err := op.ResolverMiddleware(t.Context(), func(context.Context) (any, error) { return value, nil })
		require.NoError(t, err)
		require.NotEmpty(t, noted.IDs(), name)
	}
}
