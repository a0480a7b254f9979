package watch

import (
	"errors"
	"net/http"
	"strings"

	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/words"
)

// errNotWhole is for a form about hits that did not arrive as it was made.
var errNotWhole = &models.Error{Code: models.CodeInvalidRequest, Message: "the form arrived incomplete; open its page and try again. Nothing was changed"}

// act is what a button does with a hit.
type act struct {
	// does is what is stored; nil members leave it.
	does models.Handling
	// trail is the action in the trail, as GraphQL writes it; empty: it has no line there.
	trail string
	// says is what was done, and undo the button that takes it back; empty: none does.
	says words.Text
	undo string
	// born reports whether the jail states a birth.
	born bool
	// against is an earlier answer that contradicts it; nil: none does.
	against *opposite
}

// actOf returns what a button does. to is the member who is chosen, and who the name of the hit: a message names whom it is about, so that
// a press of the wrong row is noticed.
// born reports whether the jail states a birth: without one, a dismissal is of the booking alone.
func actOf(do, to, who string, born bool) (act, bool) {
	notThem := words.T("Not them: {1}. This alert won’t report this person again.", who)
	if !born {
		notThem = words.T("Not them: {1}. This alert won’t report this booking again.", who)
	}
	a, known := map[string]act{
		"confirm": {
			does: models.Handling{Answer: new(models.Confirm)}, trail: models.Confirm.Done(), undo: "undo",
			says: words.T("Confirmed: {1}. The alert goes on as before.", who),
		},
		"dismiss": {does: models.Handling{Answer: new(models.Dismiss)}, trail: models.Dismiss.Done(), undo: "undo", says: notThem},
		"spelling": {
			does: models.Handling{Answer: new(models.Dismiss), Scope: models.ThisSpelling}, trail: models.Dismiss.Done(), undo: "undo",
			says: words.T("Not them: {1}. This alert won’t report anyone whose name is spelled this way. It still reports other spellings.", who),
		},
		"undo":   {does: models.Handling{Answer: new(models.Unsure)}, trail: models.Unsure.Done(), says: words.T("Answer undone: {1}", who)},
		"read":   {does: models.Handling{Read: new(true)}, says: words.T("Marked as read: {1}", who), undo: "unread"},
		"unread": {does: models.Handling{Read: new(false)}, says: words.T("Marked as unread: {1}", who)},
		"assign": {does: models.Handling{Assignee: &to}, trail: "hit assigned", says: words.T("Assigned to {1}: {2}", to, who), undo: "nobody"},
		"nobody": {does: models.Handling{Assignee: new("")}, trail: "hit assigned", says: words.T("Unassigned: {1}", who), undo: "assign"},
	}[do]
	return a, known
}

// handleHits does what a button of the inbox asks for, and shows the inbox again. Somebody who saw a hit before a colleague
// handled it changes nothing, and reads who that was.
func (s Site) handleHits(v *page.Visit) error {
	form := v.R.PostForm //nolint:forbidigo // lists of values
	b := &inboxBody{desk: deskOf(form), To: form.Get("to")}
	if deed, field, is := severalOf(form.Get("do")); is {
		return s.handleSeveral(v, b, deed, field)
	}
	a, h, err := s.handle(v, form.Get("do"), b.To)
	if err != nil {
		return s.notHandled(v, b, err)
	}
	if a.undo != "" {
		b.Undo = a.undo + " " + h.ID + " " + h.Version()
	}
	b.Against = a.against
	return s.inboxPage(v, b, page.View{Done: a.says})
}

// handle does with a hit what a button asks for, by its value: what to do, the hit, and the version that the reader saw. to is the
// member who is chosen.
func (s Site) handle(v *page.Visit, pressed, to string) (a act, h *models.Hit, err error) {
	asked := strings.Fields(pressed)
	if len(asked) != 3 {
		return a, nil, errNotWhole
	}
	who, born, err := s.named(v, asked[1])
	if err != nil {
		return a, nil, err
	}
	a, known := actOf(asked[0], to, who, born)
	if !known {
		return a, nil, errNotWhole
	}
	a.born, a.does.UserID, a.does.Seen = born, v.User.ID, &asked[2]
	h, err = s.Store.Handle(v.R.Context(), v.Account.ID, asked[1], a.does)
	if err == nil && a.trail != "" {
		err = s.Trail(v, a.trail, h.RecordID+" for "+h.WatcherID)
	}
	if err == nil && a.does.Answer != nil {
		a.against, err = s.oppositeOf(v, h)
	}
	return a, h, err
}

// named returns who a hit is about, and whether the jail states a birth; empty: the booking is withheld by now.
func (s Site) named(v *page.Visit, id string) (who string, born bool, err error) {
	h, err := s.Store.Hit(v.R.Context(), v.Account.ID, id)
	if err != nil {
		return "", false, err
	}
	records, err := s.Store.BookingsByKeys(v.R.Context(), []int64{h.RID})
	b := records[h.RID]
	if err != nil || b == nil {
		return "", false, err
	}
	return page.CalmName(b.Name), b.Dob != nil || b.BirthYear != nil, nil
}

// notHandled shows the inbox with why nothing was done.
func (s Site) notHandled(v *page.Visit, b *inboxBody, problem error) error {
	data := page.View{Status: refused(problem)}
	if data.Status == 0 || errors.Is(problem, errNotWhole) {
		return problem
	}
	data.Failed(problem)
	return s.inboxPage(v, b, data)
}

// refused is the status of a page that shows why nothing was done; 0: the error is no reader's doing.
func refused(why error) int {
	switch models.CodeOf(why) { //nolint:exhaustive // the others are no reader's doing
	case models.CodeConflict:
		return http.StatusConflict
	case models.CodeNotFound, models.CodeInvalidRequest:
		return http.StatusUnprocessableEntity
	}
	return 0
}
