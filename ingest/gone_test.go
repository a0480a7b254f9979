package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

// zuercherPage writes a page of the Zuercher portal of n invented people, who are no juveniles by the word no.
func zuercherPage(n int, no string) string {
	rows := make([]string, n)
	for i := range n {
		rows[i] = fmt.Sprintf(`{"name": "QUILLFEATHER%c, WREN", "arrest_date": "2026-01-05 10:%02d:00", "hold_reasons": "ARSON", "is_juvenile": %s, "release_date": "", "dob": ""}`, 'A'+rune(i), i, no)
	}
	return fmt.Sprintf(`{"total_record_count": %d, "records": [%s]}`, n, strings.Join(rows, ","))
}

func TestGuarantee11AJuvenileFlagThatIsGonePublishesNobodyNew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.run("zuercher", "a.json", zuercherPage(4, "false"), day)
	require.Equal(t, []int{4, 0}, []int{r.New, r.Withheld}, r.String())

	renamed := strings.ReplaceAll(zuercherPage(5, "true"), "is_juvenile", "juvenile_flag")
	r = b.run("zuercher", "b.json", renamed, day.AddDate(0, 0, 1))
	require.Equal(t, []any{source.RunHeld, 0}, []any{r.State, r.New}, r.String())
	require.Contains(t, r.Note, `"is_juvenile", which states who is a juvenile, is no longer in any row`)
	require.Equal(t, 4, one[int](b, `select count(*) from bookings`))

	s, err := ingest.Load("zuercher")
	require.NoError(t, err)
	b.discard(s)
	r = b.run("zuercher", "c.json", zuercherPage(5, "false"), day.AddDate(0, 0, 2))
	require.Equal(t, []any{source.RunOK, 1}, []any{r.State, r.New}, r.String())
}

func TestGuarantee11AJuvenileFlagWithoutAnAnswerWithholds(t *testing.T) {
	t.Parallel()
	for _, said := range []string{"Unknown", "TBD", "maybe"} {
		b := setup(t)
		r := b.run("zuercher", "a.json", zuercherPage(2, `"`+said+`"`), day)
		require.Equal(t, []int{2, 2, 0}, []int{r.New, r.Withheld, r.Quarantined}, r.String())
		require.Equal(t, map[string]int{said: 2}, r.Unknown["booking.juvenile"])
		require.Equal(t, 2, one[int](b, `select count(*) from bookings where withheld = 'maybe juvenile'`))
		require.Len(t, b.waiting(), 2)
	}
}

func TestGuarantee9AJSONKeyThatIsGoneIsDrift(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.run("zuercher", "a.json", zuercherPage(6, "false"), day)
	renamed := strings.ReplaceAll(zuercherPage(6, "false"), "release_date", "released_on")
	r := b.run("zuercher", "b.json", renamed, day.AddDate(0, 0, 1))
	require.Equal(t, []any{source.RunPartial, false}, []any{r.State, r.Complete}, r.String())
	require.Equal(t, []string{"booking.released_at is no longer in any row", `key "released_on" is not known`}, r.Drift)
	require.NoError(t, b.store.AcceptColumns(t.Context(), "zuercher"))
	r = b.run("zuercher", "c.json", renamed, day.AddDate(0, 0, 2))
	require.True(t, r.Complete, r.String())
}

func TestGuarantee11BirthDatesThatAreNearlyAllAbsurdHoldTheSource(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := datedSource(t, roll)
	b.runSource(s, "a.csv", dated(10, plainRow), day)
	courts := dated(11, func(i int, _, booked string) string { return fmt.Sprintf("2026-08-%02d,%s,", i+1, booked) })
	r := b.runSource(s, "b.csv", courts, day.AddDate(0, 0, 1))
	require.Equal(t, []any{source.RunHeld, 0}, []any{r.State, r.New}, r.String())
	require.Contains(t, r.Note, "0 of 11 rows state when a person was born, before it were 10 of 10")
}

// TestACauseIsNamedBeforeWhatFollowsFromIt reads a list whose column of bookings is gone: birth dates are none of its troubles.
func TestACauseIsNamedBeforeWhatFollowsFromIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := datedSource(t, roll)
	b.runSource(s, "a.csv", dated(20, plainRow), day)
	r := b.runSource(s, "b.csv", dated(20, func(_ int, born, _ string) string { return born + ",," }), day.AddDate(0, 0, 1))
	require.Equal(t, source.RunHeld, r.State, r.String())
	require.Regexp(t, `^20 of 20 rows could not be taken: booking.booked_at .*; `, r.Note)
}
