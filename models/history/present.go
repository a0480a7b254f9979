// Package history says how facts of records' version rows are shown to callers.
package history

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"rollcall/models"
)

// shown says how a fact of a version row is called in GraphQL, and how its text is written there.
type shown struct {
	name  string
	write func(text string) (string, error)
}

// shownFields are, by family, the facts whose changes callers may see. What is not listed is not
// published: why a record is withheld, and what GraphQL has no field for.
var shownFields = map[models.Family]map[string]shown{
	models.Roster: {
		"name": {"name", asIs}, "dob": {"dob", asIs}, "birth_year": {"birthYear", asIs}, "booked_at": {"bookingDate", civil},
		"released_at": {"releaseDate", civil}, "release_inferred": {"releaseInferred", asIs}, "charges": {"charges", asIs}, "bond_cents": {"bondAmount", dollars},
		"agency":     {"agency", asIs},
		ChargesField: {"chargeDetails", asIs}, models.MergedField: {"merged", asIs},
	},
	models.Courts: {
		"defendant": {"defendant", asIs}, "offense": {"offense", asIs}, "filed_date": {"filedDate", asIs}, "filed_inferred": {"filedDateInferred", asIs},
		"bail_cents": {"bailAmount", dollars}, "status": {"status", upper},
		"judge": {"judge", asIs}, "hearing_link": {"hearingLink", asIs}, HearingField: {"hearings", beginning},
		DispositionsField: {"dispositions", asIs}, models.MergedField: {"merged", asIs},
	},
	models.Corrections: {
		"name": {"name", asIs}, "dob": {"dob", asIs}, "birth_year": {"birthYear", asIs}, "category": {"category", upper}, "categories": {"categories", upper},
		"institution": {"institution", asIs}, "sentence": {"sentence", asIs}, "status": {"status", upper}, "release_date": {"releaseDate", asIs},
		"release_projected": {"releaseDateProjected", asIs}, "parole_end_date": {"paroleEndDate", asIs}, models.MergedField: {"merged", asIs},
	},
}

// HearingField begins the field of a version row that speaks of one hearing; the court's number of
// the hearing follows after a blank. Before and after are JSON, as hearing_text in the database writes it.
const HearingField = "hearing"

// ChargesField is the field of a version row that holds the charges of a booking one by one: a JSON list
// with the names of GraphQL, amounts in dollars as text.
const ChargesField = "charge_details"

// DispositionsField is the field of a version row that holds all dispositions of a case, a JSON list of
// date, outcome and sentence.
const DispositionsField = "dispositions"

// Present returns a version as callers see it; ok is false for what is not published.
func Present(f models.Family, v models.FactVersion) (c *models.RecordChange, ok bool, err error) {
	field := v.Field
	if strings.HasPrefix(field, HearingField+" ") {
		field = HearingField
	}
	how, ok := shownFields[f][field]
	if !ok {
		return nil, false, nil
	}
	c = &models.RecordChange{At: v.At, SourceID: v.Source, Field: how.name}
	if c.Before, err = how.text(v.Before); err != nil {
		return nil, false, fmt.Errorf("%s: %w", v.Field, err)
	}
	if c.After, err = how.text(v.After); err != nil {
		return nil, false, fmt.Errorf("%s: %w", v.Field, err)
	}
	return c, true, nil
}

func (s shown) text(t *string) (*string, error) {
	if t == nil {
		return nil, nil
	}
	out, err := s.write(*t)
	return &out, err
}

func asIs(text string) (string, error) { return text, nil }

// upper writes values of enums, alone or in a JSON list.
func upper(text string) (string, error) { return strings.ToUpper(text), nil }

// civil writes an instant as civil time in Georgia.
func civil(text string) (string, error) {
	t, err := time.Parse(time.RFC3339, text)
	return t.In(models.Georgia).Format(time.RFC3339), err
}

// beginning writes when a hearing begins, as civil time in Georgia.
func beginning(text string) (string, error) {
	h, err := models.ParseHearing(text)
	return h.StartsAt.Format(time.RFC3339), err
}

// dollars writes cents as US dollars: 250050 is "2500.50".
func dollars(text string) (string, error) {
	cents, err := strconv.ParseInt(text, 10, 64)
	return models.Cents(cents).Decimal(), err
}
