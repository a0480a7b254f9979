package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
)

// offenders writes a corrections file of people 0 to n-1, without those left out.
func offenders(n int, without ...int) string {
	gone := map[int]bool{}
	for _, w := range without {
		gone[w] = true
	}
	var b strings.Builder
	for i := range n {
		if gone[i] {
			continue
		}
		line := []byte(strings.Repeat(" ", 287))
		for at, text := range map[int]string{
			1: fmt.Sprintf("%08d", i+1), 9: fmt.Sprintf("QUILLFEATHER%c%c", 'A'+rune(i/26), 'A'+rune(i%26)), 27: "WREN",
			114: "19870505", 122: "NOPLACE", 130: "I", 171: "THEFT", 256: "20300101",
		} {
			copy(line[at-1:], text)
		}
		b.Write(line)
		b.WriteString("\n")
	}
	return b.String()
}

// flagged is a file in which the flag of every offender is another.
func flagged(file, flag string) string {
	lines := strings.Split(strings.TrimSuffix(file, "\n"), "\n")
	for i, line := range lines {
		lines[i] = line[:129] + flag + line[130:]
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestAVanishedCorrectionsRecordIsHiddenOnlyByAWholeFile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	shown := func() int { return one[int](b, `select count(*) from published_corrections`) }
	load := func(text string, days int) *source.RunState {
		r := b.run("corrections-fixed", "offenders.txt", text, day.AddDate(0, 0, days))
		return &r.State
	}
	require.Equal(t, source.RunOK, *load(offenders(300), 0))
	require.Equal(t, 300, shown())

	whole := offenders(300)
	require.Equal(t, source.RunPartial, *load(whole[:len(whole)-400], 1), "a file that ends within a line hides nobody")
	require.Equal(t, 300, shown())
	require.Equal(t, source.RunHeld, *load(whole[:288*250], 1), "nor does one that lost whole lines")
	require.Equal(t, 300, shown())
	require.NoError(t, b.store.ReleaseSource(t.Context(), "corrections-fixed"), "it is wrong")

	require.Equal(t, source.RunOK, *load(offenders(300, 7), 2))
	require.Equal(t, 300, shown(), "one file of which nothing proves the end hides nobody")
	require.Equal(t, source.RunOK, *load(offenders(300, 7), 3))
	require.Equal(t, 300, shown(), "nor do the same bytes once more")
	require.Equal(t, source.RunOK, *load(offenders(301, 7), 4))
	require.Equal(t, 300, shown(), "another file confirms it")
	require.Equal(t, "vanished 00000008", one[string](b, `select withheld || ' ' || gdc_id from corrections_records where withheld is not null`))
	require.Equal(t, "withheld: > vanished", one[string](b, `select field || ':' || coalesce(before, '') || ' > ' || after from record_changes`), "hiding is history, and no release")
	require.Equal(t, "incarcerated", one[string](b, `select status from corrections_records where withheld is not null`))

	require.Equal(t, source.RunOK, *load(offenders(300, 9), 1), "an older file that comes late")
	require.Equal(t, 300, shown(), "hides nobody")
	require.Equal(t, source.RunOK, *load(offenders(301), 5))
	require.Equal(t, 301, shown(), "whoever is listed again is shown again")

	require.Equal(t, source.RunOK, *load(offenders(301, 8), 6))
	require.Equal(t, source.RunOK, *load(offenders(301), 7))
	require.Equal(t, source.RunOK, *load(offenders(302, 8), 8))
	require.Equal(t, 302, shown(), "two files that lack a record confirm nothing when one between them has it")
}

func TestAFileThatProvesItsEndHidesAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := ingest.Load("corrections-fixed")
	require.NoError(t, err)
	s.Decode.EndMarker, s.Complete.EndMarker = "#END", true
	b.runSource(s, "offenders.txt", offenders(300)+"#END\n", day)
	r := b.runSource(s, "offenders.txt", offenders(300, 7)+"#END\n", day.AddDate(0, 0, 1))
	require.Equal(t, []any{source.RunOK, 1}, []any{r.State, r.Missing}, r.String())
	require.Equal(t, "00000008", one[string](b, `select gdc_id from corrections_records where withheld = 'vanished'`))
}

func TestALateCorrectionsFileTakesNothingBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.run("corrections-fixed", "offenders.txt", offenders(4), day)
	b.run("corrections-fixed", "offenders.txt", strings.ReplaceAll(offenders(4), "NOPLACE", "NOWHERE"), day.AddDate(0, 0, 2))
	b.run("corrections-fixed", "offenders.txt", strings.ReplaceAll(offenders(4), "NOPLACE", "ELSEWHE"), day.AddDate(0, 0, 1))
	require.Equal(t, "NOWHERE", one[string](b, `select distinct institution from corrections_records`))
	require.Zero(t, one[int](b, `select count(*) from record_changes where after = 'ELSEWHE'`))
}

func TestARecordThatAnOperatorKeepsHiddenIsNotPublishedWhenItIsListedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	load := func(days int, text string) {
		t.Helper()
		require.Equal(t, source.RunOK, b.run("corrections-fixed", "offenders.txt", text, day.AddDate(0, 0, days)).State)
	}
	hidden := func() string {
		return one[string](b, `select coalesce(string_agg(gdc_id || ' ' || withheld, ','), '') from corrections_records where withheld is not null`)
	}
	load(0, offenders(300))
	load(1, offenders(300, 7))
	load(2, offenders(301, 7))
	require.Equal(t, "00000008 vanished", hidden())
	require.NoError(t, b.store.Review(t.Context(), "00000008", models.ReviewKept, "desk", "expunged"))
	for days := 3; days < 7; days++ {
		if days == 5 {
			load(days, offenders(301, 7))
			continue
		}
		load(days, offenders(301))
		require.Equal(t, "00000008 vanished", hidden(), "day %d", days)
	}
}
