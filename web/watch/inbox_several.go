package watch

import (
	"strings"

	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/words"
)

// errNotSelected is for a button about several hits when none is selected.
var errNotSelected = models.InvalidBody("selected", "select the hits first: nothing was changed")

// handleSeveral does with several hits of a page what a button asks for: the deed, and the name of the fields that hold their tokens. Each
// is done as a single one is. Those that somebody handled since the page was made stay as they are.
func (s Site) handleSeveral(v *page.Visit, b *inboxBody, deed, field string) error {
	tokens := v.R.PostForm[field] //nolint:forbidigo // lists of values
	if len(tokens) > inboxSize {
		return errNotWhole
	}
	if len(tokens) == 0 {
		return s.notHandled(v, b, errNotSelected)
	}
	left, born := 0, true
	for _, token := range tokens {
		a, h, err := s.handle(v, deed+" "+token, b.To)
		switch code := models.CodeOf(err); {
		case err == nil:
			b.UndoAll, born = a.undo, born && a.born
			b.Were = append(b.Were, h.ID+" "+h.Version())
		case code == models.CodeConflict || code == models.CodeNotFound:
			left++
		default:
			return err
		}
	}
	b.After = ""
	return s.inboxPage(v, b, page.View{Done: severalDone(deed, b.To, len(b.Were), left, born)})
}

// severalDone says what was done with how many hits, and how many were left. born reports whether the jails state a birth for each of them:
// without one, a dismissal is of the booking alone.
func severalDone(deed, to string, done, left int, born bool) words.Text {
	says := map[string]words.Text{
		"confirm": words.T("{1 hit|hits} confirmed.", done),
		"dismiss": words.T("{1 hit|hits} marked as not them.", done),
		"undo":    words.T("{1 answer|answers} undone.", done),
		"read":    words.T("{1 hit|hits} marked as read.", done),
		"unread":  words.T("{1 hit|hits} marked as unread.", done),
		"assign":  words.T("{1 hit|hits} assigned to {2}.", done, to),
		"nobody":  words.T("{1 hit|hits} unassigned.", done),
	}[deed]
	if deed == "dismiss" && done > 0 {
		says = words.Join(" ", says, never(done, born))
	}
	if left > 0 {
		same := words.T("{1 hit was|hits were} left as before, because someone changed {2|it|them} after you opened the page.", left, left)
		says = words.Join(" ", says, same)
	}
	return says
}

// never says what the dismissal of several hits means from now on.
func never(done int, born bool) words.Text {
	if !born {
		return words.T("{1|Its alert|Their alerts} won’t report {2|this booking|these bookings} again.", done, done)
	}
	return words.T("{1|Its alert|Their alerts} won’t report {2|this person|these people} again.", done, done)
}

// severalOf reads a button that is about several hits, such as "read shown"; false: it is about one, by its id and version.
func severalOf(do string) (deed, field string, is bool) {
	asked := strings.Fields(do)
	if len(asked) != 2 || asked[1] != "selected" && asked[1] != "shown" && asked[1] != "were" {
		return "", "", false
	}
	return asked[0], asked[1], true
}
