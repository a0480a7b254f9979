package fact

import (
	"strings"

	"rollcall/models"
	"rollcall/web/words"
)

// Offer is a box of a form that chooses what notifies: a kind of event or a notice.
type Offer struct {
	// Word is as the contract has it.
	Word string
	// Says is when it notifies, and OfAlert the same of the one person that an alert is about.
	Says, OfAlert words.Text
}

// Value is the word as GraphQL and the forms of alerts have it.
func (o Offer) Value() string { return strings.ToUpper(o.Word) }

// EventOffers are the kinds of events that forms offer.
var EventOffers = []Offer{
	{string(models.EventBooking), words.T("Someone is booked"), words.T("they are booked")},
	{string(models.EventRelease), words.T("Someone is released"), words.T("they are released")},
	{string(models.EventBondChange), words.T("A bond changes"), words.T("their bond changes")},
}

// NoticeOffers are the notices that forms offer.
var NoticeOffers = []Offer{
	{Word: string(models.NoticeRetraction), Says: words.T("A reported release turns out to be wrong")},
	{Word: string(models.NoticeSourceStale), Says: words.T("A jail’s data stops coming in, or resumes")},
	{Word: string(models.NoticeWithheld), Says: words.T("A reported record can no longer be shown")},
}
