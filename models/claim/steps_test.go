package claim

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/sqltest"
	"rollcall/internal/testdb"
	"rollcall/models"
)

// What a step needs, an earlier one made.
func TestStepsComeInAnOrderInWhichNothingIsMissing(t *testing.T) {
	t.Parallel()
	for family, steps := range map[models.Family][]step{models.Roster: newRoster().steps(new(int)), models.Courts: (&courtRun{}).steps(), models.Corrections: offenderSteps} {
		made := map[string]bool{staged: true}
		for _, s := range frame(steps) {
			require.NotEmpty(t, s.why, s.name)
			require.NotNil(t, s.do, s.name)
			for _, need := range s.needs {
				require.True(t, made[need], "%s: %s needs %s", family, s.name, need)
			}
			for _, m := range s.makes {
				made[m] = true
			}
		}
		require.True(t, made[noted], "%s: the run is noted", family)
	}
}

// Every statement has a user, every user a statement, and no table of a family is written by name where its
// placeholder stands for it.
func TestStatementsAreThoseThatAreUsed(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	var text strings.Builder
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go") {
			b, err := os.ReadFile(e.Name())
			require.NoError(t, err)
			text.Write(b)
		}
	}
	for _, name := range families[models.Corrections].on.statements.Names() {
		require.Contains(t, text.String(), `"`+name+`"`, "the statement %s has no user", name)
	}
	calls := regexp.MustCompile(`(?:\.(?:do|exec|one|each|query)\(ctx, |statements\.Get\()"([a-z_]+)"`).FindAllStringSubmatch(text.String(), -1)
	require.Greater(t, len(calls), 20)
	for _, c := range calls {
		require.Contains(t, families[models.Corrections].on.statements.Names(), c[1])
	}
	for _, name := range families[models.Roster].on.statements.Names() {
		s := families[models.Roster].on.statements.Get(name)
		require.False(t, slices.ContainsFunc([]string{"{claims}", "{records}", "{key}", "{id}"}, func(p string) bool { return strings.Contains(s, p) }), s)
	}
}

// A statement that is alike for several families need not be one of each: some read columns that only one family has.
func TestPostgresUnderstandsEachStatementForAFamily(t *testing.T) {
	t.Parallel()
	pool := testdb.New(t).Pool
	var unknown map[string]string // by name, what no family could prepare
	for family, of := range families {
		all := of.on.statements
		var makes []string
		for _, name := range all.Names() {
			if strings.HasPrefix(all.Get(name), "create temp table") {
				makes = append(makes, name)
			}
		}
		refused, err := sqltest.Refused(t.Context(), pool, all, makes...)
		require.NoError(t, err, family)
		if unknown == nil {
			unknown = refused
		}
		maps.DeleteFunc(unknown, func(name, _ string) bool { _, still := refused[name]; return !still })
	}
	require.Empty(t, unknown)
}
