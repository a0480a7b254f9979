package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
)

// edited is a file of offenders in which texts of one line are others.
func edited(file string, number int, pairs ...string) string {
	lines := strings.Split(file, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, fmt.Sprintf("%08d", number+1)) {
			lines[i] = strings.NewReplacer(pairs...).Replace(line)
		}
	}
	return strings.Join(lines, "\n")
}

// TestAMergeOfCorrectionsRecordsOutlastsTheNextFiles merges two people who are told under two surnames, as the two ids of
// one often are, and lets whole files follow.
func TestAMergeOfCorrectionsRecordsOutlastsTheNextFiles(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := ingest.Load("corrections-fixed")
	require.NoError(t, err)
	s.Decode.EndMarker, s.Complete.EndMarker = "#END", true
	days := 0
	load := func(text string) []int {
		t.Helper()
		days++
		r := b.runSource(s, "offenders.txt", text+"#END\n", day.AddDate(0, 0, days))
		return []int{r.New, r.Changed, r.Unchanged, r.Missing, r.Quarantined}
	}
	shown := func() string {
		t.Helper()
		o, err := b.store.CorrectionsByGdcID(t.Context(), "00000008")
		require.NoError(t, err)
		require.Equal(t, "00000007", o.GdcID, "the id that went resolves to the record that stayed")
		require.Equal(t, 299, one[int](b, `select count(*) from published_corrections`))
		return o.Name + " " + *o.Institution
	}
	load(offenders(300))
	require.NoError(t, b.store.MergeCorrections(t.Context(), "00000007", "00000008"))
	own := "QUILLFEATHERAG, WREN NOPLACE"

	require.Equal(t, []int{0, 1, 299, 0, 0}, load(edited(offenders(300), 20, "NOPLACE", "NOWHERE")))
	require.Equal(t, own, shown())
	require.Equal(t, []int{0, 1, 299, 0, 0}, load(edited(offenders(300), 7, "NOPLACE", "ELSEWHE")))
	require.Equal(t, own, shown(), "what changed under the id that went is no news while the other is listed")

	require.Equal(t, []int{0, 1, 298, 0, 0}, load(edited(offenders(300, 6), 7, "NOPLACE", "ELSEWHE")))
	require.Equal(t, "QUILLFEATHERAH, WREN ELSEWHE", shown(), "the own id is gone, and the record is not")
	require.Equal(t, []int{0, 0, 299, 0, 0}, load(edited(offenders(300, 6), 7, "NOPLACE", "ELSEWHE")))

	t.Log("a row of which not even the name can be read hides nobody, and one that can not be taken spares the record, whichever id it has")
	require.Zero(t, load(edited(offenders(300, 6), 7, "19870505", "        ", "QUILLFEATHERAH", "              "))[3])
	require.Equal(t, []int{0, 1, 299, 0, 0}, load(offenders(300)))
	require.Equal(t, own, shown())
	require.Equal(t, []int{0, 0, 298, 0, 1}, load(edited(offenders(300, 6), 7, "20300101", "SOMEDAY.")), "the record has another surname: only its id tells")
	require.Equal(t, own, shown())
	require.Equal(t, []int{0, 1, 298, 0, 0}, load(edited(offenders(300, 6), 7, "NOPLACE", "ELSEWHE")))
	require.Equal(t, "QUILLFEATHERAH, WREN ELSEWHE", shown())

	t.Log("an id that is another person's now tells nothing of the merged one")
	require.Equal(t, []int{0, 0, 298, 0, 1}, load(edited(offenders(300, 6), 7, "QUILLFEATHERAH", "STORMCROW     ", "WREN", "IDA ")))
	require.Equal(t, "QUILLFEATHERAH, WREN ELSEWHE", shown())

	require.Equal(t, []int{0, 1, 299, 0, 0}, load(offenders(300)))
	require.Equal(t, own, shown())
	require.Equal(t, []int{0, 0, 298, 1, 0}, load(offenders(300, 6, 7)))
	_, err = b.store.CorrectionsByGdcID(t.Context(), "00000008")
	require.Equal(t, models.CodeNotFound, models.CodeOf(err), "who is gone under both ids vanishes")
	require.Equal(t, "merged vanished", one[string](b, `select string_agg(s, ' ' order by s) from (select case when merged_into is not null then 'merged' else withheld::text end as s from corrections_records) r`))
	load(offenders(300, 6))
	require.Equal(t, "QUILLFEATHERAH, WREN NOPLACE", shown(), "and is back under either")
}
