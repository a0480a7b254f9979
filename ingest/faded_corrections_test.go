package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
)

const fadingPrison = `id: prison
title: A prison list that answers in JSON
kind: corrections
publish: {policy: full_roster, absence: unknown}
decode: {format: json, rows: people, total: count}
complete: {total: true}
fields:
  offender: {id: id, name: name, institution: at, sentence: term, release_date: {from: out, layouts: ['2006-01-02']}, parole_end: {from: until, layouts: ['2006-01-02']}}
`

// prisoners writes four records with the same facts.
func prisoners(facts string) string {
	rows := make([]string, 4)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"id": "100041%d", "name": "QUILLFEATHER%c, WREN", %s}`, i, 'A'+rune(i), facts)
	}
	return fmt.Sprintf(`{"count": %d, "people": [%s]}`, len(rows), strings.Join(rows, ","))
}

func TestGuarantee9AKeyThatIsGoneWipesNothingOfCorrectionsRecords(t *testing.T) {
	t.Parallel()
	const (
		whole = `"at": "LEE STATE PRISON", "term": "10 YEARS", "out": "2030-01-02", "until": "2035-01-02"`
		known = "LEE STATE PRISON; 10 YEARS; 2030-01-02; 2035-01-02"
	)
	for field, to := range map[string][2]string{
		"offender.institution":  {`"at"`, `"facility"`},
		"offender.sentence":     {`"term"`, `"length"`},
		"offender.release_date": {`"out"`, `"release"`},
		"offender.parole_end":   {`"until"`, `"parole"`},
	} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s, err := ingest.Parse([]byte(fadingPrison))
			require.NoError(t, err)
			state := func() string {
				return one[string](b, `select string_agg(distinct concat_ws('; ', institution, sentence, release_date, parole_end_date), ' | ') from corrections_records`)
			}
			b.runSource(s, "a.json", prisoners(whole), day)
			require.Equal(t, known, state())
			renamed := strings.Replace(whole, to[0], to[1], 1)
			for i := range 2 {
				r := b.runSource(s, "b.json", prisoners(renamed), day.AddDate(0, 0, 1+i))
				require.Contains(t, strings.Join(r.Drift, "\n"), field+" is no longer in any row", r.String())
				require.Equal(t, known, state(), "in snapshot %d: %s", i, r.String())
			}
			require.Zero(t, one[int](b, `select count(*) from record_changes`))

			t.Log("an operator accepts that it is gone")
			require.NoError(t, b.store.AcceptColumns(t.Context(), "prison"))
			b.runSource(s, "c.json", prisoners(renamed), day.AddDate(0, 0, 4))
			require.NotEqual(t, known, state())
			require.Equal(t, 4, one[int](b, `select count(distinct record) from record_changes`))
		})
	}
}
