package delivery

import (
	"rollcall/models"
	"rollcall/web/words"
)

// drop is why a delivery was dropped: in a word for the list, and as a part of a sentence.
type drop struct{ short, long words.Text }

var drops = map[models.DropReason]drop{
	models.DropExhausted: {words.T("every attempt failed"), words.T("every attempt failed")},
	models.DropCancelled: {words.T("deleted"), words.T("its alert or endpoint was deleted")},
	models.DropDisabled:  {words.T("disabled"), words.T("the endpoint was disabled")},
	models.DropPaused:    {words.T("paused"), words.T("the endpoint or the alert was paused")},
	models.DropPlan:      {words.T("account or plan"), words.T("the account was suspended or left the Enterprise plan")},
	models.DropBounced:   {words.T("address refused"), words.T("the recipient’s mail server refused the address")},
	models.DropDismissed: {words.T("dismissed"), words.T("you dismissed the hit")},
	models.DropWithheld:  {words.T("record withheld"), words.T("its record can no longer be shown")},
}

var (
	unconfirmed  = drop{words.T("not confirmed"), words.T("the address was not confirmed yet")}
	disabledMail = drop{words.T("disabled"), words.T("the recipient unsubscribed, or mail to the address kept failing")}
)

// why is why it was dropped; zero while it was not.
func (r Row) why() drop {
	switch {
	case r.Reason == nil:
		return drop{}
	case r.Unconfirmed(r.Webhook):
		return unconfirmed
	case r.Mail() && *r.Reason == models.DropDisabled:
		return disabledMail
	}
	return drops[*r.Reason]
}

// Because is why it was dropped; nothing while it was not.
func (r Row) Because() words.Text { return r.why().long }

// Stands is its state, with the reason why it was dropped.
func (r Row) Stands() words.Text {
	if r.Reason == nil {
		return states[r.State]
	}
	return words.Join(": ", states[r.State], r.why().short)
}
