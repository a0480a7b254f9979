package ingest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models/source"
)

func TestALineInAnotherCharsetIsQuarantinedAndChangesNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	latin := strings.Replace(offenders(4), "QUILLFEATHERAA", "QUILLFEATHER\xd1A", 1)
	r := b.run("corrections-fixed", "offenders_20260105.txt", latin, day)
	require.Equal(t, []int{4, 0}, []int{r.New, r.Quarantined}, r.String())
	r = b.run("corrections-fixed", "offenders_20260205.txt", strings.ReplaceAll(latin, "\xd1", "\u00d1"), day.AddDate(0, 1, 0))
	require.Equal(t, map[string]int{"is UTF-8, though decode.charset says iso-8859-1": 1}, r.Reasons, r.String())
	require.Zero(t, r.Changed, r.String())
	require.Equal(t, "QUILLFEATHER\u00d1A, WREN", one[string](b, `select name from corrections_records where gdc_id = '00000001' and status = 'incarcerated' and withheld is null`))

	r = b.run("corrections-fixed", "offenders_20260305.txt", "\ufeff"+latin, day.AddDate(0, 2, 0))
	require.Equal(t, []any{source.RunFailed, 0}, []any{r.State, r.New}, r.String())
	require.Contains(t, r.Note, "the document begins with the mark of UTF-8, though decode.charset says iso-8859-1")
}
