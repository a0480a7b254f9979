package ingest_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/source"
)

// flagFile lists n people of each county, the flag of each as flag says.
func flagFile(n int, flag func(i int) string, counties ...string) string {
	var out strings.Builder
	for _, county := range counties {
		for i := range n {
			fmt.Fprintf(&out, "%s,K%d,\"%s%c, WREN\",2026-01-05 10:%02d,$1.00,%s\n", county, i, surnames[i%20], 'A'+rune(i/20), i%60, flag(i))
		}
	}
	return manyColumns + out.String() + "#end\n"
}

// A jail begins to state its flags; the files from before that are read again. The newest file is no other than before.
func TestAReplayOfFilesFromBeforeTheFlagsHoldsNothing(t *testing.T) {
	t.Parallel()
	for _, delta := range []bool{false, true} {
		t.Run(fmt.Sprint("delta ", delta), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := many(t)
			if delta {
				s = many(t, changesOnly()...)
			}
			text := func(flag string) string {
				f := flagFile(20, func(int) string { return flag }, "Appling", "Bacon")
				if delta {
					f = strings.TrimSuffix(f, "#end\n")
				}
				return f
			}
			r1 := b.runSource(s, "a.csv", text(""), b.now.Add(-48*time.Hour))
			r := b.runSource(s, "b.csv", text("N"), b.now.Add(-24*time.Hour))
			require.Equal(t, source.RunOK, r.State, r.String())
			rs, err := b.runner.Replay(t.Context(), s, r1.Run)
			require.NoError(t, err)
			require.Equal(t, models.SourceOK, b.sources()[models.ScopeID(s.ID, "appling")].State(), rs)
		})
	}
}

// A replay of quarantined rows of files from before the jail stated birth dates, or flags: they must become facts.
func TestQuarantinedRowsFromBeforeFlagsOrBirthsAreApplied(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"births", "flags"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			if what == "flags" {
				s := many(t)
				bad := strings.Replace(flagFile(20, func(int) string { return "" }, "Appling", "Bacon"), "2026-01-05 10:07", "05.01.26 1007", 1)
				r1 := b.runSource(s, "a.csv", bad, b.now.Add(-48*time.Hour))
				require.Equal(t, 1, r1.Quarantined)
				require.Equal(t, 1, r1.QuarantinedNew)
				r := b.runSource(s, "b.csv", flagFile(20, func(int) string { return "N" }, "Appling", "Bacon"), b.now.Add(-24*time.Hour))
				require.Equal(t, source.RunOK, r.State, r.String())
				r, err := b.runner.Replay(t.Context(), s, r1.Run)
				require.NoError(t, err)
				require.NotEqual(t, source.RunHeld, r.State, r.String())
				return
			}
			s := published(t, 2)
			r1 := b.runSource(s, "a.csv", f1(firstDay, 12, true, func(p *detainee) bool { p.dob = ""; return true }, "Appling", "Bacon"), firstDay)
			at := firstDay.AddDate(0, 0, 1)
			r := b.runSource(s, "b.csv", f1(at, 12, true, asBefore, "Appling", "Bacon"), at)
			require.Equal(t, source.RunOK, r.State, r.String())
			r, err := b.runner.Replay(t.Context(), s, r1.Run)
			require.NoError(t, err)
			require.NotContains(t, r.Note, "held", r.String())
		})
	}
}

// A late file of changes from before the flags comes after the newer one.
func TestALateFileFromBeforeTheFlagsHoldsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := many(t, changesOnly()...)
	text := func(flag string) string {
		return strings.TrimSuffix(flagFile(20, func(int) string { return flag }, "Appling", "Bacon"), "#end\n")
	}
	b.runSource(s, "b.csv", text("N"), b.now.Add(-24*time.Hour))
	r := b.runSource(s, "a.csv", text(""), b.now.Add(-48*time.Hour))
	require.Equal(t, models.SourceOK, b.sources()[models.ScopeID(s.ID, "appling")].State(), r.Note)
}

// A delta of a small county: most days few rows, the flag is written on arrests and blank on changes of a bond.
func TestOrdinaryChangesWithoutAFlagHoldNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := many(t, changesOnly()...)
	row := func(i int, flag string) string {
		return fmt.Sprintf("Appling,K%d,\"%s%c, WREN\",2026-01-05 10:%02d,$%d.00,%s\n", i, surnames[i%20], 'A'+rune(i/20), i%60, 100+i+len(flag)*1000, flag)
	}
	rows := func(n int, flag string) string {
		var out strings.Builder
		for i := range n {
			out.WriteString(row(i, flag))
		}
		return manyColumns + out.String()
	}
	b.runSource(s, "a.csv", rows(12, "N"), b.now.Add(-24*time.Hour))
	r := b.runSource(s, "b.csv", rows(6, ""), b.now)
	require.Equal(t, models.SourceOK, b.sources()[models.ScopeID(s.ID, "appling")].State(), r.Note)
}

// A jail that writes Y for juveniles and nothing else: a few leave.
func TestOrdinaryJuvenilesWhoLeaveHoldNobody(t *testing.T) {
	t.Parallel()
	for _, n := range []int{3, 4, 5} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := many(t)
			file := func(young bool) string {
				var out strings.Builder
				for _, county := range []string{"Appling", "Bacon"} {
					for i := range 60 {
						flag := ""
						if i < n && county == "Appling" {
							if flag = "Y"; !young {
								continue
							}
						}
						fmt.Fprintf(&out, "%s,K%d,\"%s%c, WREN\",2026-01-05 10:%02d,$1.00,%s\n", county, i, surnames[i%20], 'A'+rune(i/20), i%60, flag)
					}
				}
				return manyColumns + out.String() + "#end\n"
			}
			b.runSource(s, "a.csv", file(true), b.now.Add(-24*time.Hour))
			r := b.runSource(s, "b.csv", file(false), b.now)
			require.NotEqual(t, source.RunHeld, r.State, r.Note)
			require.Equal(t, models.SourceOK, b.sources()[models.ScopeID(s.ID, "appling")].State(), r.Note)
		})
	}
}

// unflagged lists newcomers of a county without a flag.
func unflagged(county string, n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "%s,M%d,\"MOONSAIL%c, ORLA\",2026-02-01 01:3%d,$1.00,\n", county, i, 'A'+rune(i), i)
	}
	return out.String()
}

// A delta of one county writes the flag on arrests. Where five newcomers or more lack it, its column is blank.
func TestNewcomersOfADeltaOfOneCountyHaveAFlag(t *testing.T) {
	t.Parallel()
	for newcomers, state := range map[int]source.RunState{0: source.RunOK, 4: source.RunOK, 5: source.RunHeld} {
		t.Run(strconv.Itoa(newcomers), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := sourceWith(t, "one", append([]string{
				"columns: [id, name, booked, bond]", "columns: [cty, id, name, booked, bond, juvenile]", "booking: {number: id,", "booking: {juvenile: juvenile, number: id,",
			}, changesOnly()...)...)
			b.runSource(s, "a.csv", manyColumns+rowsOf(12, "$1.00", "x"), b.now.Add(-24*time.Hour))
			next := manyColumns + strings.ReplaceAll(rowsOf(12, "$1.00", "x"), ",N\n", ",\n")
			r := b.runSource(s, "b.csv", next+unflagged("x", newcomers), b.now)
			require.Equal(t, state, r.State, r.String())
		})
	}
}
