package limit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Field is a root field of an operation, with what it costs alone.
type Field struct {
	Alias, Name string
	Cost        int
}

// mostFields is how many root fields a message names.
const mostFields = 5

// Advice says of an operation that costs too much which of its root fields cost most, and what to do. It follows a message.
func Advice(fields []Field) string {
	fields = slices.Clone(fields)
	slices.SortStableFunc(fields, func(a, b Field) int { return cmp.Compare(b.Cost, a.Cost) })
	var costs []string
	single := 0
	for i, f := range fields {
		if f.Name == "previewAlert" || f.Name == "importAlerts" {
			single++
		}
		if i < mostFields {
			costs = append(costs, f.shown())
		}
	}
	out := ""
	if more := len(fields) - len(costs); len(costs) > 0 {
		out = ": " + strings.Join(costs, ", ")
		if more > 0 {
			out += fmt.Sprintf(" and %d more", more)
		}
	}
	if single > 1 {
		return out + fmt.Sprintf("; previewAlert and importAlerts cost %d each and more with what is asked of them, so send one of them in a request", previewCost)
	}
	return out + "; ask for fewer records with the argument limit, or for fewer fields"
}

// shown is a field with its cost in a message.
func (f Field) shown() string {
	if f.Alias != "" && f.Alias != f.Name {
		return fmt.Sprintf("%.40s (%s) costs %d", f.Alias, f.Name, f.Cost)
	}
	return fmt.Sprintf("%s costs %d", f.Name, f.Cost)
}
