package part_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"rollcall/ingest/decode"
	"rollcall/ingest/document"
	"rollcall/ingest/part"
)

// columns is a record of columns, with its rows.
type columns struct {
	values map[string]string
	rows   []decode.Fields
}

func (c columns) Value(path string) (string, bool) {
	v, ok := c.values[path]
	return v, ok
}

func (c columns) Rows(string) []decode.Fields { return c.rows }
func (c columns) Null(string) bool            { return false }
func (c columns) Raw() string                 { return "" }

// each reads an `each` as a document writes it.
func each(t *testing.T, text string) *part.Each {
	t.Helper()
	var node yaml.Node
	require.NoError(t, yaml.Unmarshal([]byte(text), &node))
	var e part.Each
	var problems document.Problems
	document.Value("each", node.Content[0], &e, &problems)
	require.NoError(t, problems.Err())
	return &e
}

// texts are the values of a path in some records.
func texts(list []decode.Fields, path string) (all []string) {
	for _, one := range list {
		v, _ := one.Value(path)
		all = append(all, v)
	}
	return all
}

func TestTheThingsOfARecord(t *testing.T) {
	t.Parallel()
	row := func(charges, bonds string) columns {
		return columns{values: map[string]string{"charges": charges, "bonds": bonds, "name": "ROE", "c1": "DUI", "c2": "", "c3": "THEFT"}}
	}
	rows := columns{rows: []decode.Fields{row("A|B", ""), row("C", "")}}
	for name, c := range map[string]struct {
		each          string
		rec           columns
		path          string
		want          []string
		unpaired, few bool
	}{
		"pairs of lists":                      {"parallel: {on: '|', columns: [charges, bonds]}", row("THEFT|DUI", "500|300"), "bonds", []string{"500", "300"}, false, false},
		"a list that ends early in blanks":    {"parallel: {on: '|', columns: [charges, bonds]}", row("THEFT|DUI", "500|"), "bonds", []string{"500", ""}, false, false},
		"a list that is too long":             {"parallel: {on: '|', columns: [charges, bonds]}", row("THEFT|DUI", "1|2|3"), "bonds", []string{"", ""}, true, false},
		"a list that is too short":            {"parallel: {on: '|', columns: [charges, bonds]}", row("A|B|C", "1|2"), "bonds", []string{"", "", ""}, true, true},
		"lines of a cell":                     {`parallel: {on: "\n", columns: [charges]}`, row("DUI\nBATTERY", ""), "charges", []string{"DUI", "BATTERY"}, false, false},
		"pieces of a text":                    {"segments: {from: charges, on: [';', '/']}", row("A; B/C;", ""), "text", []string{"A", "B", "C"}, false, false},
		"columns with numbers":                {"numbered: {columns: [c%], from: 1, to: 3}", row("", ""), "c%", []string{"DUI", "THEFT"}, false, false},
		"lists of every row":                  {"{rows: rows, parallel: {on: '|', columns: [charges]}}", rows, "charges", []string{"A", "B", "C"}, false, false},
		"and the rest is read from the whole": {"segments: {from: charges, on: ';'}", row("A;B", ""), "name", []string{"ROE", "ROE"}, false, false},
	} {
		list, unpaired := each(t, c.each).Within(c.rec)
		require.Equal(t, c.want, texts(list, c.path), name)
		require.Equal(t, c.unpaired, len(unpaired) > 0, name)
		for _, l := range unpaired {
			require.Equal(t, c.few, l.Few, name)
			require.Equal(t, "bonds", l.Column, name)
		}
	}
}

func TestWhatNoSampleHasIsNamed(t *testing.T) {
	t.Parallel()
	rec := columns{values: map[string]string{"charges": "DUI\nTHEFT", "c1": "DUI"}}
	rec.rows = []decode.Fields{rec}
	for text, want := range map[string][]string{
		`parallel: {on: "\n", columns: [charges]}`:               nil,
		`{rows: rows, parallel: {on: "\n", columns: [charges]}}`: nil,
		"segments: {from: charges, on: [';', \"\\n\"]}":          nil,
		"numbered: {columns: [c%], from: 1, to: 3}":              nil,
		"rows: Charges": nil,
		"parallel: {on: '<br>', columns: [charges, statutes]}":     {`fields.charge.each.parallel.on: no sample row has ["<br>"] in "charges"`, `fields.charge.each.parallel.columns: no sample row has a value at "statutes"`},
		"segments: {from: charge, on: ';'}":                        {`fields.charge.each.segments.from: no sample row has a value at "charge"`},
		"segments: {from: charges, on: [';', '|']}":                {`fields.charge.each.segments.on: no sample row has [";" "|"] in "charges"`},
		"numbered: {columns: [c%, bond_%], from: 1, to: 3}":        {`fields.charge.each.numbered.columns: no sample row has a value at "bond_%"`},
		"{rows: rows, segments: {from: offenses, on: [';', '|']}}": {`fields.charge.each.segments.from: no sample row has a value at "offenses"`},
	} {
		met := map[string]bool{}
		e := each(t, text)
		e.Meet("charge", rec, met)
		require.Equal(t, want, e.Absent("charge", met), text)
	}
}

func TestColumnsOfListsAreCheckedWhereTheyAreKnown(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"charges": true, "bonds": true}
	for text, want := range map[string]string{
		"parallel: {on: '|', columns: [charges, bond]}": `fields.charge.each.parallel.columns: there is no column "bond"; did you mean "bonds"?`,
		"segments: {from: charge, on: '|'}":             `fields.charge.each.segments.from: there is no column "charge"; did you mean "charges"?`,
		"segments: {from: charges, on: '|'}":            "",
		"segments: {from: outer.text, on: '|'}":         "",
		"numbered: {columns: [charge], from: 0, to: 1}": "fields.charge.each.numbered: needs columns with % in their names, and to at or after from, by 1,000 at most",
		"{rows: a, segments: {from: charges, on: '|'}}": "",
	} {
		var problems document.Problems
		each(t, text).Check("fields.charge.each", known, &problems)
		if want == "" {
			require.NoError(t, problems.Err(), text)
			continue
		}
		require.EqualError(t, problems.Err(), want, text)
	}
	var problems document.Problems
	each(t, "parallel: {on: '|', columns: [charges, bond]}").Check("fields.charge.each", nil, &problems)
	require.NoError(t, problems.Err(), "columns of pages are known with a page only")
}
