package ingest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

func TestGuarantee9ANewKeyOfJSONIsDriftOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Empty(t, b.run("zuercher", "a.json", zuercherPage(4, "false"), day).Drift, "the first snapshot makes its keys known")
	added := strings.ReplaceAll(zuercherPage(5, "false"), `"dob"`, `"holds": [{"agency": {"name": "HALL"}, "2026-00017": 1}], "dob"`)
	r := b.run("zuercher", "b.json", added, day.AddDate(0, 0, 1))
	require.Equal(t, []string{`key "holds" is not known`}, r.Drift, "what stands below a new key is part of it")
	require.Equal(t, []any{source.RunOK, true, 1}, []any{r.State, r.Complete, r.New}, "it moves no other value: %s", r.String())
	require.Contains(t, r.String(), `drift: key "holds" is not known`)
	for i, text := range []string{added, zuercherPage(5, "false"), added} {
		r = b.run("zuercher", "c.json", text, day.AddDate(0, 0, 2+i))
		require.Empty(t, r.Drift, "once told, it is known, also when it comes and goes")
	}
	require.NotContains(t, fmt.Sprint(one[[]string](b, `select keys from sources`)), "QUILLFEATHER")
	require.NotContains(t, fmt.Sprint(one[[]string](b, `select keys from sources`)), "00017", "a key that is data is none")
}

func TestGuarantee9ANewKeyHoldsWhereTheDocumentSaysSo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	text := strings.Replace(stamped, "fields:\n", "drift: hold\nfields:\n", 1)
	text = strings.Replace(text, "person: {name: name}", "person: {name: name, dob: {from: born, layouts: [2006-01-02]}}", 1)
	s, err := ingest.Parse([]byte(strings.Replace(text, "total: meta.total", "total: meta.total, optional: [cell]", 1)))
	require.NoError(t, err)
	page := func(more string) string {
		return `{"jail": {"county": "Ben Hill"}, "inmates": [{"id": "K1", "name": "MOONSAIL, ORLA", "booked": "2026-03-01"` + more + `}], "meta": {"asof": "2026-03-09T06:00:00", "total": 1}}`
	}
	b.runSource(s, "a.json", page(""), b.now)
	r := b.runSource(s, "b.json", page(`, "born": "1990-01-02", "cell": "B2"`), b.now)
	require.Equal(t, source.RunOK, r.State, "what the document maps or calls optional is known: %s", r.String())
	r = b.runSource(s, "c.json", page(`, "youth": true`), b.now)
	require.Equal(t, source.RunHeld, r.State, r.String())
	require.Equal(t, `key "youth" is not known; when the document fits: rollcall sources release`, r.Note)
	require.Equal(t, source.RunOK, b.release(s).State)
	for range 2 {
		r = b.runSource(s, "d.json", page(`, "youth": true`), b.now)
		require.Equal(t, []any{source.RunOK, []string{}}, []any{r.State, r.Drift}, r.String())
	}
}

func TestGuarantee9ANewElementOrLabelIsDrift(t *testing.T) {
	t.Parallel()
	cases := []struct{ source, sample, old, new, drift string }{
		{"roster-xml", "roster.xml", "<Sex>", "<Minor flag=\"1\">yes</Minor><Sex>", `key "Minor" is not known`},
		{"roster-xml", "roster.xml", `<Charge statute="16-8-2"`, `<Charge hold="1" statute="16-8-2"`, `key "Charges/Charge/@hold" is not known`},
		{"connect", "page1.html", "<li><b>Agency:", "<li><b>Minor:</b> yes</li><li><b>Agency:", `key "minor" is not known`},
		{"docket-divs", "page1.html", `<div class="row"><span class="label">DOB:`, `<div class="row"><span class="label">Minor:</span> <span class="value">yes</span></div><div class="row"><span class="label">DOB:`, `key "minor" is not known`},
		{"new-world", "100001.html", `<li class="Agency"><label>`, `<li><label>Minor</label> <span>yes</span></li><li class="Agency"><label>`, `key "minor" is not known`},
	}
	for _, c := range cases {
		t.Run(c.source+" "+c.drift, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			text := b.sample(c.source, c.sample)
			b.run(c.source, "a", text, b.now)
			keys := fmt.Sprint(one[[]string](b, `select keys from sources`))
			for _, person := range []string{"quillfeather", "marlowe", "1986"} {
				require.NotContains(t, strings.ToLower(keys), person, "names of values, no values")
			}
			changed := strings.Replace(text, c.old, c.new, 1)
			require.NotEqual(t, text, changed)
			require.Empty(t, b.run(c.source, "b", text, b.now).Drift)
			require.Equal(t, []string{c.drift}, b.run(c.source, "c", changed, b.now).Drift)
			require.Empty(t, b.run(c.source, "d", changed, b.now).Drift)
		})
	}
}

const cardDocument = `id: county-a
title: Cards without labels
kind: roster
county: ben-hill
publish: {policy: full_roster, absence: released}
decode: {format: html, rows: div.card, end_marker: "</html>"}
complete: {end_marker: true}
fields:
  booking: {number: '@data-id', booked_at: {from: span.booked, layouts: ['2006-01-02']}}
  person: {name: h4.name}
identity: {booking: [{of: [booking.number], strength: source}]}
`

func TestGuarantee9ANewClassOfACardIsDriftWhereValuesAreFoundByClasses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := ingest.Parse([]byte(cardDocument))
	require.NoError(t, err)
	page := func(more string) string {
		return `<html><body><div class="card odd" data-id="K1"><h4 class="name">MOONSAIL, ORLA</h4><span class="booked">2026-01-20</span>` + more + `</div></body></html>`
	}
	require.Empty(t, b.runSource(s, "a.html", page(""), b.now).Drift)
	for _, more := range []string{`<span class="empty"></span>`, `<span class="row-20260120">K1</span>`} {
		require.Empty(t, b.runSource(s, "b.html", page(more), b.now).Drift, "what holds no text, or a class that is data, is no name of a value")
	}
	r := b.runSource(s, "c.html", page(`<span class="minor">yes</span>`), b.now)
	require.Equal(t, []any{source.RunOK, []string{`key "span.minor" is not known`}}, []any{r.State, r.Drift}, r.String())
	require.Empty(t, b.runSource(s, "d.html", page(`<span class="minor">yes</span>`), b.now).Drift, "it is told of once")
	require.Equal(t, []string{"h4.name", "span.booked", "span.minor"}, one[[]string](b, `select keys from sources`))
}

func TestGuarantee9AColumnThatWasAcceptedIsNoDriftAnyMore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	more := strings.NewReplacer("bond\n", "bond,shoe size\n", "$500.00", "$500.00,9")
	hours := 0
	drift := func(text string) []string {
		hours++
		return b.runSource(s, "roster.csv", text, day.Add(time.Duration(hours)*time.Hour)).Drift
	}
	unknown := []string{`column "shoe size" is not known`}
	require.Empty(t, drift(roster(5)))
	require.Equal(t, unknown, drift(more.Replace(roster(5))))
	require.Equal(t, unknown, drift(more.Replace(roster(5))), "as long as nobody has looked")
	require.NoError(t, b.store.AcceptColumns(t.Context(), s.ID))
	require.Empty(t, drift(more.Replace(roster(5))))
	require.Empty(t, drift(more.Replace(roster(5))))
	another := strings.NewReplacer("shoe size", "hat size")
	require.Equal(t, []string{`column "hat size" is not known`}, drift(another.Replace(more.Replace(roster(5)))))

	first := rosterSource(t, "county-b", 1)
	r := b.runSource(first, "roster.csv", more.Replace(roster(5)), day)
	require.Equal(t, unknown, r.Drift, "the first snapshot tells of it: %s", r)
	require.Empty(t, b.runSource(first, "roster.csv", more.Replace(roster(5)), day.Add(time.Hour)).Drift, "and it is known")
}
