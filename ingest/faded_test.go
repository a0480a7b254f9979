package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

const fadingDocument = `id: county-a
title: A small county that answers in JSON
kind: roster
county: ben-hill
publish: {policy: full_roster, absence: released}
decode: {format: json, rows: people, total: count}
complete: {total: true}
fields:
  booking: {number: id, booked_at: {from: booked, layouts: ['2006-01-02']}, agency: agency}
  person: {name: name}
  charge: {each: {rows: charges}, description: text, statute: law, bond: bail}
identity: {booking: [{of: [booking.number], strength: source}]}
`

// jsonPeople writes n people as JSON, with charge for the charges of each.
func jsonPeople(n int, charge string) string {
	rows := make([]string, n)
	for i := range n {
		rows[i] = fmt.Sprintf(`{"id": "K%d", "name": "QUILLFEATHER%c, WREN", "booked": "2026-01-%02d", %s}`, i, 'A'+rune(i), 1+i, charge)
	}
	return fmt.Sprintf(`{"count": %d, "people": [%s]}`, n, strings.Join(rows, ","))
}

func TestGuarantee9AKeyThatIsGoneWipesNothingHoweverSmallTheCounty(t *testing.T) {
	t.Parallel()
	const (
		whole = `"charges": [{"text": "DUI", "law": "40-6-391", "bail": "$500.00"}]`
		facts = "DUI 40-6-391 50000 50000"
	)
	for name, c := range map[string]struct {
		told, drift string
		after       string // of each, when it came
	}{
		"the bonds":              {`"charges": [{"text": "DUI", "law": "40-6-391", "bond": "$500.00"}]`, "charge.bond is no longer in any row: what is known of it stays", facts},
		"the statutes":           {`"charges": [{"text": "DUI", "statute": "40-6-391", "bail": "$500.00"}]`, "charge.statute is no longer in any row: what is known of it stays", facts},
		"all charges":            {`"offenses": [{"text": "DUI", "law": "40-6-391", "bail": "$500.00"}]`, "charge.description is no longer in any row: what is known of it stays", facts},
		"what is told otherwise": {`"charges": [{"text": "ARSON", "law": "16-7-60", "bond": "$900.00"}]`, "charge.bond is no longer in any row: what is known of it stays", "ARSON 16-7-60 50000"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s, err := ingest.Parse([]byte(fadingDocument))
			require.NoError(t, err)
			state := func() string {
				return one[string](b, `select string_agg(distinct concat_ws(' ', array_to_string(b.charges, ';'), c.statute, c.bond_cents, b.bond_cents), ' | ') from bookings b left join booking_charges c using (rid)`)
			}
			b.runSource(s, "a.json", jsonPeople(3, whole), day)
			require.Equal(t, facts, state())
			for i := range 3 {
				r := b.runSource(s, "b.json", jsonPeople(3, c.told), day.AddDate(0, 0, 1+i))
				require.Contains(t, r.Drift, c.drift, r.String())
				require.Equal(t, c.after, state(), "in snapshot %d", i)
			}
			if c.after == facts {
				require.Zero(t, one[int](b, `select count(*) from record_changes`))
			}
			t.Log("what is told again counts")
			r := b.runSource(s, "c.json", jsonPeople(3, strings.Replace(whole, `"bail": "$500.00"`, `"bail": ""`, 1)), day.AddDate(0, 0, 5))
			require.Empty(t, r.Drift, r.String())
			require.Equal(t, "DUI 40-6-391", state(), "a bond that the key tells to be none is none")
			r = b.runSource(s, "d.json", jsonPeople(3, whole), day.AddDate(0, 0, 6))
			require.Equal(t, source.RunOK, r.State, r.String())
			require.Equal(t, facts, state())
		})
	}
	t.Run("an operator accepts that it is gone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		s, err := ingest.Parse([]byte(fadingDocument))
		require.NoError(t, err)
		without := jsonPeople(3, `"charges": [{"text": "DUI", "law": "40-6-391"}]`)
		b.runSource(s, "a.json", jsonPeople(3, whole), day)
		b.runSource(s, "b.json", without, day.AddDate(0, 0, 1))
		require.Equal(t, 3, one[int](b, `select count(*) from bookings where bond_cents = 50000`))
		require.NoError(t, b.store.AcceptColumns(t.Context(), "county-a"))
		r := b.runSource(s, "c.json", without, day.AddDate(0, 0, 2))
		require.Equal(t, []any{source.RunOK, 3, []string{}}, []any{r.State, r.Changed, r.Drift}, r.String())
		require.Zero(t, one[int](b, `select count(*) from bookings where bond_cents is not null`))
	})
}

func TestGuarantee9AKeyThatIsNullIsToldToBeEmpty(t *testing.T) {
	t.Parallel()
	const (
		whole  = `"charges": [{"text": "DUI", "law": "40-6-391", "bail": "$500.00"}]`
		nulled = `"charges": [{"text": "DUI", "law": null, "bail": null}]`
		gone   = `"charges": [{"text": "DUI"}]`
	)
	read := func(t *testing.T, s *ingest.Source, n int, texts ...string) (b *bundle, last *ingest.Report) {
		t.Helper()
		b = setup(t)
		for i, told := range texts {
			last = b.runSource(s, "a.json", jsonPeople(n, told), day.AddDate(0, 0, i))
		}
		return b, last
	}
	fading := func(t *testing.T, pairs ...string) *ingest.Source {
		t.Helper()
		s, err := ingest.Parse([]byte(strings.NewReplacer(pairs...).Replace(fadingDocument)))
		require.NoError(t, err)
		return s
	}
	facts := func(b *bundle) string {
		return one[string](b, `select string_agg(distinct concat_ws(' ', array_to_string(b.charges, ';'), c.statute, c.bond_cents, b.bond_cents), ' | ') from bookings b left join booking_charges c using (rid)`)
	}

	t.Run("null", func(t *testing.T) {
		t.Parallel()
		b, r := read(t, fading(t), 3, whole, nulled)
		require.Equal(t, []any{source.RunOK, []string{}, "DUI"}, []any{r.State, r.Drift, facts(b)}, r.String())
	})
	t.Run("gone", func(t *testing.T) {
		t.Parallel()
		b, r := read(t, fading(t), 3, whole, gone)
		require.Len(t, r.Drift, 2, r.String())
		require.Equal(t, "DUI 40-6-391 50000 50000", facts(b))
	})
	t.Run("null of many at once", func(t *testing.T) {
		t.Parallel()
		b, r := read(t, fading(t), 20, whole, nulled)
		require.Equal(t, source.RunHeld, r.State, r.String())
		require.Equal(t, "DUI 40-6-391 50000 50000", facts(b))
	})
	t.Run("null and then gone", func(t *testing.T) {
		t.Parallel()
		_, r := read(t, fading(t), 3, nulled, nulled, gone)
		require.Equal(t, []string{"charge.bond is no longer in any row: what is known of it stays", "charge.statute is no longer in any row: what is known of it stays"}, r.Drift, r.String())
	})
	t.Run("a juvenile flag", func(t *testing.T) {
		t.Parallel()
		s := fading(t, "booking: {number: id,", "booking: {number: id, juvenile: minor,")
		b, r := read(t, s, 3, `"minor": false`, `"minor": null`)
		require.Equal(t, source.RunHeld, r.State, "nobody is published while it says nothing: %s", r)
		require.Contains(t, r.Note, `"minor", which states who is a juvenile`)
		require.Equal(t, 3, one[int](b, `select count(*) from published_bookings`))
	})
}
