package step

import "reflect"

// Reference describes one step, for docs/sources-reference.md.
type Reference struct {
	Name string
	Says string
	// Settings is the type with the keys of its settings; nil for a word alone, or one text.
	Settings reflect.Type
	// Example is set where Settings has no examples of its own.
	Example string
}

// List returns the steps that a field may have, by name.
func List() []Reference {
	var list []Reference
	for _, name := range names() {
		step, ok := settingSteps[name]
		if !ok {
			step = Reference{Says: plainSteps[name].says, Example: name}
		}
		step.Name = name
		list = append(list, step)
	}
	return list
}
