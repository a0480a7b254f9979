package mapping

import (
	"maps"
	"reflect"
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

// StepReference describes one step of a field.
type StepReference struct {
	Name string
	Says string
	// Settings is the type with the keys of its settings; nil for a word alone, or one text.
	Settings reflect.Type
	// Example is set where Settings has no examples of its own.
	Example string
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

// Steps lists the steps that a field may have, by name.
func Steps() []StepReference {
	var list []StepReference
	for _, name := range stepNames() {
		step, ok := settingSteps[name]
		if !ok {
			step = StepReference{Says: plainSteps[name].says, Example: name}
		}
		step.Name = name
		list = append(list, step)
	}
	return list
}
