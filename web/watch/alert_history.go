package watch

import (
	"strings"
	"time"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// edit is a change of an alert, as its history shows it.
type edit struct {
	ID, By  string
	At      time.Time
	Changes []edited
}

// edited is what an edit did to one member. Says is the whole of it where there are no values to show.
type edited struct{ Says, Name, From, To words.Text }

// members are what pages call the members of an alert.
var members = map[models.WatcherMember]words.Text{
	models.MemberName: words.T("Name"), models.MemberCounty: words.T("County"), models.MemberDob: words.T("Birth date"),
	models.MemberBirthYear: words.T("Year of birth"), models.MemberAge: words.T("Age"), models.MemberAgeOn: words.T("Age stated on"),
	models.MemberEvents: words.T("Notifies when"), models.MemberLevel: words.T("Level"), models.MemberLabel: words.T("Label"),
}

// fillHistory reads a page of the alert's edits, newest first, and one more to know whether there are others behind.
func (s Site) fillHistory(v *page.Visit, b *alertBody) error {
	found, err := s.Store.Edits(v.R.Context(), v.Account.ID, b.ID, models.Page{Limit: alertSize + 1, After: b.Edits})
	if err != nil {
		return page.Hidden(err)
	}
	if len(found) > alertSize {
		found = found[:alertSize]
		b.MoreEdits = alertPlace{Edits: found[alertSize-1].ID()}.address(b.ID)
	}
	for _, e := range found {
		one := edit{ID: e.ID(), By: e.By, At: e.At}
		for _, c := range e.Changes {
			one.Changes = append(one.Changes, s.edited(c))
		}
		b.History = append(b.History, one)
	}
	return nil
}

// edited says what was changed.
func (s Site) edited(c models.MemberChange) edited {
	switch {
	case c.Member == models.MemberNote:
		return edited{Says: words.T("Note changed")}
	case c.Member == models.MemberPaused && models.EmptyIfNil(c.To) == "true":
		return edited{Says: words.T("Paused")}
	case c.Member == models.MemberPaused:
		return edited{Says: words.T("Resumed")}
	}
	return edited{Name: members[c.Member], From: s.member(c.Member, c.From), To: s.member(c.Member, c.To)}
}

// member returns a value as the page shows it elsewhere.
func (s Site) member(m models.WatcherMember, value *string) words.Text {
	switch {
	case value == nil && m == models.MemberCounty:
		return words.T("all of Georgia")
	case value == nil && m == models.MemberLabel:
		return words.T("none")
	case value == nil:
		return words.T("not given")
	case m == models.MemberCounty:
		if county, err := s.Store.Counties().BySlug(*value); err == nil {
			return words.Plain(county.Name)
		}
	case m == models.MemberEvents:
		var kinds []models.EventKind
		for kind := range strings.SplitSeq(*value, ", ") {
			kinds = append(kinds, models.EventKind(kind))
		}
		return fact.Events(kinds)
	case m == models.MemberLevel:
		return words.Word(*value)
	}
	return words.Plain(*value)
}
