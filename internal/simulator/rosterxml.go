package simulator

import (
	"encoding/xml"
	"net/http"
	"strings"
	"time"
)

// rosterXML is shape F19: the whole roster as one XML document.
var rosterXML = shape{
	method: http.MethodGet, path: "/roster-xml/%s.xml", interval: 6 * time.Second,
	endpoints: []endpoint{{"GET /roster-xml/%s.xml", always, serveRosterXML}},
	sorry:     `<?xml version="1.0" encoding="UTF-8"?><Error><Message>Roster unavailable</Message></Error>`, media: "application/xml",
}

// xmlRoster is the document; its count is declared, so that a cut file can be noticed.
type xmlRoster struct {
	XMLName   xml.Name    `xml:"JailRoster"`
	County    string      `xml:"county,attr"`
	Generated string      `xml:"generated,attr"`
	Count     int         `xml:"count,attr"`
	Inmates   []xmlInmate `xml:"Inmate"`
}

type xmlInmate struct {
	XMLName  xml.Name
	Number   string      `xml:"BookingNumber"`
	Last     string      `xml:"Name>Last"`
	First    string      `xml:"Name>First"`
	Middle   string      `xml:"Name>Middle"`
	Suffix   string      `xml:"Name>Suffix"`
	Birth    string      `xml:"DateOfBirth"`
	Sex      string      `xml:"Sex"`
	Race     string      `xml:"Race"`
	Booked   string      `xml:"BookingDateTime"`
	Released string      `xml:"ReleaseDateTime"`
	Agency   string      `xml:"ArrestingAgency"`
	Charges  []xmlCharge `xml:"Charges>Charge"`
}

type xmlCharge struct {
	Statute     string `xml:"statute,attr"`
	Grade       string `xml:"grade,attr"`
	Description string `xml:"Description"`
	BondType    string `xml:"BondType"`
	BondAmount  string `xml:"BondAmount"`
}

// xmlTime is the vendor's: dots in the time, microseconds, no zone.
const xmlTime = "2006-01-02-15.04.05.000000"

// serveRosterXML answers everybody in custody. `Still Confined` stands where a release date would.
func serveRosterXML(v *view, w http.ResponseWriter, _ query) {
	roster := xmlRoster{County: CountyName(v.feed.County), Generated: v.at.Format(xmlTime), Count: len(v.custody)}
	element := "Inmate"
	if v.has(Layout) {
		element = "Detainee"
	}
	for _, b := range byName(v.custody) {
		name := b.Name.Upper()
		inmate := xmlInmate{
			XMLName: xml.Name{Local: element}, Number: b.Number, Last: name.Last, First: name.First, Middle: name.Middle, Suffix: name.Suffix,
			Birth: b.Birth.Format(time.DateOnly), Sex: b.Sex, Race: b.Race, Booked: b.Booked.In(v.zone).Format(xmlTime),
			Released: "Still Confined", Agency: b.Agency,
		}
		for _, charge := range b.Charges {
			c := xmlCharge{Statute: charge.Statute, Grade: charge.Grade, Description: charge.Description, BondType: strings.ToUpper(bondType(charge.Bond))}
			if cents, ok := charge.Bond.Amount(); ok {
				c.BondAmount = dollars(cents)
			}
			inmate.Charges = append(inmate.Charges, c)
		}
		roster.Inmates = append(roster.Inmates, inmate)
	}
	text, err := xml.MarshalIndent(roster, "", " ")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	_, _ = w.Write(append([]byte(xml.Header), append(text, '\n')...))
}
