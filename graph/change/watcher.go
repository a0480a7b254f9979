// Package change turns the inputs of mutations into what package models takes. It checks nothing: the store does.
package change

import (
	"github.com/99designs/gqlgen/graphql"

	"rollcall/graph/generated"
	"rollcall/models"
)

// NewWatcher returns the watcher that an input describes.
func NewWatcher(in *generated.CreateAlertInput) *models.NewWatcher {
	n := &models.NewWatcher{
		Name: in.Name, County: in.County, Events: list(in.Events), Level: in.Level, Dob: in.Dob, BirthYear: in.BirthYear, Age: in.Age, AgeOn: in.AgeOn,
		Label: in.Label, Note: in.Note,
	}
	n.Paused = in.Paused != nil && *in.Paused
	return n
}

// OfWatcher returns the change of a watcher that an input asks for. more reports whether it is more than a pause.
func OfWatcher(in *generated.UpdateAlertInput) (c models.WatcherChange, more bool) {
	c = models.WatcherChange{
		Name: in.Name, County: fact(in.County), Dob: fact(in.Dob), BirthYear: fact(in.BirthYear), Age: fact(in.Age), AgeOn: fact(in.AgeOn),
		Events: list(in.Events), Level: in.Level, Label: in.Label, Note: in.Note, Paused: in.Paused, Seen: in.IfVersion,
	}
	whom := c.Name != nil || c.County.Given || c.Dob.Given || c.BirthYear.Given || c.Age.Given || c.AgeOn.Given
	return c, whom || c.Events != nil || c.Level != nil || c.Label != nil || c.Note != nil
}

// fact returns a member that null takes away.
func fact[T any](o graphql.Omittable[*T]) models.Fact[T] {
	v, given := o.ValueOK()
	return models.Fact[T]{Given: given, Value: v}
}

// list returns nil for a list that is absent or null.
func list[T any](values []T) *[]T {
	if values == nil {
		return nil
	}
	return &values
}
