package watch

import (
	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/words"
)

// opposite is an earlier answer of an account that contradicts the one just given: both are about one person, under one alert.
type opposite struct {
	// Says is what follows from the two.
	Says words.Text
	// Show is the address of hits with that answer.
	Show string
}

// oppositeOf returns the answer that contradicts a hit's; nil: none does.
func (s Site) oppositeOf(v *page.Visit, h *models.Hit) (*opposite, error) {
	other, err := s.Store.Opposite(v.R.Context(), h)
	if err != nil || other == nil {
		return nil, err
	}
	b, err := s.Store.BookingByID(v.R.Context(), other.RecordID)
	if err != nil {
		return nil, err
	}
	who, county, at := page.CalmName(b.Name), b.County.Name, words.When(*other.FeedbackAt)
	if *h.Feedback == models.Dismiss {
		says := words.T("This also stops the alert for {1}, booked in {2} County, who was confirmed on {3}. Undo the wrong answer.", who, county, at)
		return &opposite{says, desk{Alert: h.WatcherID}.Address("confirmed", "")}, nil
	}
	says := words.T(
		"The alert still won’t report this person: {1}, booked in {2} County, was marked “Not them” on {3}. Undo the wrong answer.",
		who, county, at)
	return &opposite{says, desk{Alert: h.WatcherID}.Address("dismissed", "")}, nil
}
