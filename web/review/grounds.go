package review

import (
	"slices"

	"rollcall/models"
	"rollcall/web/words"
)

// grounds are reasons that operators give often for one kind of decision. They may write their own instead.
type grounds struct {
	ID   string // of the list that a field offers
	Says []words.Text
}

// liftGrounds are those to publish a record, by why it is withheld.
var liftGrounds = map[models.WithheldReason]grounds{
	models.WithheldMaybeJuvenile: {"grounds-age", []words.Text{
		words.T("The jail confirms that the person was 17 or older."), words.T("The court confirms that the person was 17 or older."),
	}},
	models.WithheldMaybeRestricted: lifted,
	models.WithheldRestricted:      lifted,
	models.WithheldVanished:        {"grounds-vanished", []words.Text{words.T("The department still has the record.")}},
}

var (
	lifted   = grounds{"grounds-lifted", []words.Text{words.T("The order to restrict the record was lifted.")}}
	kept     = grounds{"grounds-kept", []words.Text{words.T("The jail confirms that the person is a juvenile."), words.T("No one could confirm it.")}}
	withheld = grounds{"grounds-withheld", []words.Text{words.T("A court order restricts the record.")}}
)

// Grounds are the lists of reasons that the page offers. The first has the reasons for several records: to publish them or not.
func (b *reviewsBody) Grounds() []grounds {
	each := []grounds{liftGrounds[models.WithheldMaybeJuvenile], lifted, liftGrounds[models.WithheldVanished], kept}
	several := grounds{ID: "grounds"}
	for _, g := range each {
		several.Says = append(several.Says, g.Says...)
	}
	return slices.Concat([]grounds{several}, each, []grounds{withheld})
}
