package main

import (
	"fmt"
	"reflect"
	"strings"

	"rollcall/ingest/mapping"
	"rollcall/ingest/part"
	"rollcall/ingest/step"
)

// fieldsHead explains how a field is written, which no Go type shows.
const fieldsHead = `
## Fields

` + "`fields`" + ` maps entities (a booking, a charge), and in each entity its fields. A field is one of

- a path: ` + "`number: Booking No`" + `;
- a map with the keys below: ` + "`booked_at: {from: Booked, layouts: [01/02/2006]}`" + `;
- a list of these, of which the first with a value counts: ` + "`bond: [bond.amount, bond.kind]`" + `.

Besides its fields an entity may have two more keys. ` + "`when: KIND`" + ` names the kind of records it is made of in format tagged.
` + "`each`" + ` says how the several things of one record are found. It has one of its keys, or ` + "`rows`" + ` and
one of the others: the lists or texts of each row.

### Paths

| format | a path is |
|---|---|
| ` + "`csv`, `tsv`" + ` | the name of a column |
| ` + "`fixed`" + ` | the name of a span |
| ` + "`tagged`" + ` | the name of a column of the record's kind |
| ` + "`json`" + ` | keys and positions with dots: ` + "`Charges.0.Name`" + `; within ` + "`embedded`" + ` JSON it goes on: ` + "`detailsJson.charges`" + ` |
| ` + "`html`" + ` | a CSS selector, in tables the text of a header; ` + "`label:Booked`" + ` is what stands beside a label, ` + "`a@href`" + ` an attribute, and ` + "`raw:Name`" + ` keeps blanks |
| ` + "`xml`" + ` | an XPath, with the prefixes of ` + "`namespaces`" + `; document types are refused |

In json, html and xml, and with ` + "`split: {nested}`" + `, ` + "`outer.meta.asof`" + ` reads beside the rows or around the record. With ` + "`split`" + `, ` + "`rows`" + `
are the rows of a record and ` + "`section:Charges`" + ` those below a heading.

**HTML.** Selectors are CSS 3, with ` + "`:has(a)`, `:contains(\"text\")`, `:containsown(\"text\")` and `:matches(regex)`" + ` besides ` + "`:not()`, `:nth-child()`" + `,
` + "`:nth-of-type()`" + ` and the like. There is no ` + "`:is()`, `:where()` or `:nth-child(... of ...)`" + `. Of a field the first element counts, of ` + "`rows`" + ` all. A
selector that finds a table stands for its rows, and their fields are named by the header in any letter case. A cell that spans columns
is that of the first of them; the others are blank. A text is as a browser shows it: runs of blanks are one, and ` + "`<br>`" + ` and the ends of paragraphs and
cells are line breaks, which ` + "`on: \"\\n\"`" + ` cuts. Outside of lists a line break is a blank.

**Regular expressions** are those of RE2: no look-ahead and no back-references; ` + "`(?i)`" + ` is any letter case. XPath is version 1.0.

**What finds nothing.** A path, or a step that finds nothing, leaves the field blank: ` + "`regex`, `after`, `split`" + `. ` + "`before`, `remove` and `replace`" + ` leave
the text as it is. A list that nothing cuts is one element. ` + "`sources check`" + ` names paths, columns and cuts that no sample row has. Where
` + "`decode.total`" + ` finds no number the snapshot is not complete. A capture of a step that finds nothing ends the run.

### A field

`

// fields writes how a field is written, the steps, and the fields of every kind of source.
func (p *page) fields() {
	p.WriteString(fieldsHead)
	p.keys(reflect.TypeFor[mapping.Way]())
	// These maps may be below any field, so each has one section instead of one for every place.
	for _, below := range []struct {
		path string
		of   reflect.Type
	}{
		{"each", reflect.TypeFor[part.Each]()},
		{"each.parallel", reflect.TypeFor[part.Parallel]()},
		{"each.segments", reflect.TypeFor[part.Segments]()},
		{"each.numbered", reflect.TypeFor[part.Numbered]()},
	} {
		p.printf("\n### `%s`\n\n", below.path)
		p.keys(below.of)
	}
	p.steps()
	// The three kinds are those of models.Family; their fields are lists in the package mapping.
	for _, kind := range []string{"roster", "courts", "corrections"} {
		p.printf("\n## Fields of kind `%s`\n", kind)
		for _, e := range mapping.Reference(kind) {
			p.entity(kind, e)
		}
	}
}

// steps writes the table of all steps, and a table of settings for each step that has some.
func (p *page) steps() {
	p.WriteString("\n### Steps of a field\n\nA step is one word, or a map of one key. Blanks at both ends are always removed.\n\n")
	p.WriteString("| step | meaning | example |\n|---|---|---|\n")
	var settings []step.Reference
	// A step with settings has its example from them, so that it always names every setting.
	for _, s := range step.List() {
		p.must(strings.HasSuffix(s.Says, "."), "step %s has no sentence", s.Name)
		example := s.Example
		if s.Settings != nil {
			settings = append(settings, s)
			example = p.example(s)
		}
		p.must(example != "", "step %s has no example", s.Name)
		p.row(code(s.Name), s.Says, code(example))
	}
	for _, s := range settings {
		p.printf("\n### Step `%s`\n\n", s.Name)
		p.keys(s.Settings)
	}
}

// example returns a step with the examples of its settings, as a document would have it.
func (p *page) example(s step.Reference) string {
	var parts []string
	// Settings of steps have no document.Tag of their own: their tags are read as they are.
	for f := range s.Settings.Fields() {
		parts = append(parts, f.Tag.Get("yaml")+": "+f.Tag.Get("example"))
	}
	return fmt.Sprintf("{%s: {%s}}", s.Name, strings.Join(parts, ", "))
}

// entity writes the table of the fields of one entity, such as a booking of a roster.
func (p *page) entity(kind string, e mapping.EntityReference) {
	p.must(strings.HasSuffix(e.Says, "."), "entity %s.%s has no sentence", kind, e.Name)
	needed := ""
	if e.Required {
		needed = " A document of this kind must map it."
	}
	p.printf("\n### `%s` of %s\n\n%s%s\n\n", e.Name, kind, e.Says, needed)
	p.WriteString("| field | holds | allowed | meaning |\n|---|---|---|---|\n")
	for _, f := range e.Fields {
		p.must(strings.HasSuffix(f.Says, "."), "field %s.%s.%s has no sentence", kind, e.Name, f.Name)
		// Values are the closed list that a field may have; none means that any text is allowed.
		words := make([]string, len(f.Values))
		for i, v := range f.Values {
			words[i] = code(v)
		}
		// Required fields are bold, since an author looks for them first.
		name := code(f.Name)
		if f.Required {
			name = "**" + name + "**, required"
		}
		p.row(name, f.Form, strings.Join(words, ", "), f.Says)
	}
}
