package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVariablesAreReadAsTheSpecificationSays(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, linked(1)...)
	const pages = `query ($l: Int) { roster(limit: $l) { total } }`
	const status = `query ($s: RosterStatus) { roster(filter: {status: $s}) { total } }`
	const filter = `query ($f: RosterFilter) { roster(filter: $f) { total } }`
	for _, c := range []struct {
		name, query, variable string
		value                 any
		wrong                 string
	}{
		{"an integer", pages, "l", 1, ""},
		{"an integer with a point", pages, "l", jsonText("1.0"), ""},
		{"null", pages, "l", nil, ""},
		{"text for an integer", pages, "l", "1", "an Int is a number"},
		{"a fraction for an integer", pages, "l", 1.5, "an Int has no fraction"},
		{"an exponent for an integer", pages, "l", jsonText("1e3"), "an Int has no exponent"},
		{"an exponent after a point", pages, "l", jsonText("1.5E1"), "an Int has no exponent"},
		{"a list for an object", filter, "f", []any{map[string]any{"name": "smith"}}, "a RosterFilter is an object, not a list"},
		{"text for an object", filter, "f", "smith", "a RosterFilter is an object, with members in braces"},
		{"true for an integer", pages, "l", true, "an Int is a number"},
		{"an enum", status, "s", "BOOKED", ""},
		{"an enum in other letters", status, "s", "booked", "one of BOOKED, RELEASED"},
		{"an enum inside an object", filter, "f", map[string]any{"status": "BoOkEd"}, "one of BOOKED, RELEASED"},
		{"a number for text", filter, "f", map[string]any{"name": 7}, "a String is text"},
		{"text inside an object", filter, "f", map[string]any{"name": "smith"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := b.post(t, c.query, map[string]any{c.variable: c.value})
			if c.wrong == "" {
				require.Empty(t, got.Errors, got.body)
				return
			}
			require.Equal(t, "GRAPHQL_VALIDATION_FAILED", got.code(t))
			require.Contains(t, got.Errors[0].Message, c.wrong)
			require.Equal(t, c.variable, got.Errors[0].Extensions["field"])
		})
	}
}

func TestAnOperationThatIsNotNamedIsSaidSo(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	got := b.post(t, `query a { __typename } query b { __typename }`, nil)
	require.Contains(t, got.Errors[0].Message, "name one of them in operationName")
}

func TestAnInstantMayHaveSmallLetters(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	require.JSONEq(t, `{"courts": {"total": 0}}`, b.data(t, `{ courts(filter: {updatedSince: "2026-03-08t01:00:00z"}) { total } }`, nil))
}

// jsonText is JSON as it is written.
type jsonText string

// MarshalJSON implements json.Marshaler.
func (j jsonText) MarshalJSON() ([]byte, error) { return []byte(j), nil }
