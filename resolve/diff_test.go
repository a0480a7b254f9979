package resolve_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/resolve"
)

func TestADiffNamesEachFactThatBecameAnother(t *testing.T) {
	t.Parallel()
	fields := func(pairs ...string) (all []resolve.Field) {
		for i := 0; i < len(pairs); i += 2 {
			all = append(all, resolve.Field{Name: pairs[i], Text: resolve.Text(pairs[i+1])})
		}
		return all
	}
	version := func(field, before, after string) resolve.Version {
		return resolve.Version{Field: field, Before: resolve.Text(before), After: resolve.Text(after)}
	}
	cases := []struct {
		name          string
		before, after []resolve.Field
		want          []resolve.Version
	}{
		{"equal texts are no change", fields("name", "ORLA", "bond", "5"), fields("name", "ORLA", "bond", "5"), nil},
		{"unknown before and after is no change", fields("bond", ""), fields("bond", ""), nil},
		{"the order of facts is no change", fields("a", "1", "b", "2"), fields("b", "2", "a", "1"), nil},
		{"another text", fields("bond", "5"), fields("bond", "6"), []resolve.Version{version("bond", "5", "6")}},
		{"a fact that becomes known", fields("bond", ""), fields("bond", "6"), []resolve.Version{version("bond", "", "6")}},
		{"a fact that becomes unknown", fields("bond", "5"), fields("bond", ""), []resolve.Version{version("bond", "5", "")}},
		{"a new record has nothing before", nil, fields("name", "ORLA", "bond", ""), []resolve.Version{version("name", "", "ORLA")}},
		{"a fact that is named no more becomes unknown", fields("old", "1", "bond", "5"), fields("bond", "5"), []resolve.Version{version("old", "1", "")}},
		{"an unknown fact that is named no more is no change", fields("old", ""), nil, nil},
		{"changes stand in the order of the state after", fields("a", "1", "b", "2"), fields("b", "3", "a", "4"), []resolve.Version{version("b", "2", "3"), version("a", "1", "4")}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, resolve.Diff(c.before, c.after))
		})
	}
}
