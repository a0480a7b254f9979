package mapping

import (
	"maps"
	"slices"
)

// FieldReference describes one field that a source document may map to, for docs/sources-reference.md.
type FieldReference struct {
	Name string
	// Form is what the field holds, in words.
	Form string
	// Values are the allowed words, where the field holds one of a closed set.
	Values []string
	// Required reports whether a row without it goes to quarantine.
	Required bool
	// Says is what the field means, one sentence.
	Says string
}

// EntityReference describes one entity of a kind of source.
type EntityReference struct {
	Name string
	Says string
	// Required reports whether a document of the kind must map it.
	Required bool
	Fields   []FieldReference
}

// formNames are the forms as the reference for authors names them.
var formNames = map[form]string{
	text: "text", moneyF: "dollars", timeF: "date and time", dateF: "date", wholeF: "whole number", boolF: "yes or no",
	clockF: "time of day", enumF: "one word",
}

// Reference lists the entities of a kind of source with their fields, by name. It is nil for a kind that does
// not exist.
func Reference(kind string) []EntityReference {
	var list []EntityReference
	for _, name := range slices.Sorted(maps.Keys(targets[kind])) {
		e := EntityReference{Name: name, Says: entityTexts[kind+"."+name], Required: slices.Contains(needed[kind], name)}
		for _, field := range slices.Sorted(maps.Keys(targets[kind][name])) {
			t := targets[kind][name][field]
			e.Fields = append(e.Fields, FieldReference{Name: field, Form: formNames[t.form], Values: t.values, Required: t.need, Says: t.says})
		}
		list = append(list, e)
	}
	return list
}
