package simulator

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strings"
	"time"
)

// citizen is shape F7, Police-to-Citizen: a warm-up sets a cookie that must come back in a header; the list has another
// name in each county.
var citizen = shape{
	method: http.MethodPost, path: "/citizen/%s/api/inmates", interval: 7 * time.Second,
	endpoints: []endpoint{
		{"GET /citizen/%s/{$}", always, warmCitizen},
		{"POST /citizen/%s/api/inmates", func(q query) bool { return citizenPaging(q).Skip <= 0 }, serveCitizen},
	},
	sorry: `{"Message":"An error has occurred.","ExceptionMessage":"Execution Timeout Expired."}`, media: "application/json",
}

const (
	citizenCookie = "XSRF-TOKEN"
	citizenHeader = "X-XSRF-TOKEN"
	noInstant     = "0001-01-01T00:00:00+00:00"
)

// token is the county's cross-site token. It guards nothing but the way in.
func token(county string) string {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(county))
	return fmt.Sprintf("CfDJ8-%016x", sum.Sum64())
}

// warmCitizen sets the cookie that a reader must send back.
func warmCitizen(v *view, w http.ResponseWriter, _ query) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // scripts must read it, and it crosses loopback only
		Name: citizenCookie, Value: token(v.feed.County), Path: "/citizen/" + v.feed.County,
	})
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte("<!DOCTYPE html><html><head><title>Inmates</title></head><body><app-root></app-root></body></html>\n"))
}

// citizenPage is which rows a request asks for.
type citizenPage struct{ Take, Skip int }

// citizenPaging reads `{"PagingOptions":{"Take":10,"Skip":0}}`.
func citizenPaging(q query) citizenPage {
	asked := struct{ PagingOptions citizenPage }{citizenPage{10, 0}}
	if err := json.Unmarshal(q.body, &asked); err != nil {
		return citizenPage{10, 0}
	}
	asked.PagingOptions.Take = min(asked.PagingOptions.Take, maxPage)
	return asked.PagingOptions
}

// citizenInmate is one element of the list.
type citizenInmate struct {
	ID            int64 `json:"Id"`
	FirstName     string
	MiddleName    string
	LastName      string
	Suffix        string
	DateOfBirth   string
	Age           int
	Gender        string
	Race          string
	BookingNumber string
	ArrestDate    string
	ReleaseDate   string
	Agency        string
	TotalBond     string
	Charges       []citizenCharge
}

// citizenCharge has no amount where bond is denied or not set.
type citizenCharge struct {
	Sequence    int
	Statute     string
	Description string
	Level       string
	BondType    string
	BondAmount  *float64
}

// serveCitizen answers a page of the list. Without the cookie and its header it is 400, as at the vendor's.
func serveCitizen(v *view, w http.ResponseWriter, q query) {
	cookie, err := q.Cookie(citizenCookie)
	if err != nil || cookie.Value != token(v.feed.County) || q.Header.Get(citizenHeader) != cookie.Value {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	paging := citizenPaging(q)
	rows := slices.Clone(v.custody)
	slices.SortFunc(rows, func(a, b Booking) int {
		return cmp.Or(b.Booked.Compare(a.Booked), cmp.Compare(b.Number, a.Number))
	})
	inmates := []citizenInmate{}
	for _, b := range page(v, rows, paging.Skip, paging.Take) {
		inmates = append(inmates, newCitizenInmate(v, b))
	}
	key := [...]string{"Inmates", "RecentArrests", "Records"}[len(v.feed.County)%3]
	if v.has(Layout) {
		key = "Detainees"
	}
	sendJSON(w, map[string]any{key: inmates, "Total": len(rows)})
}

// newCitizenInmate writes a row with the vendor's quirks: backticks for apostrophes, a date of the year 1 for none, and
// charges in any order.
func newCitizenInmate(v *view, b Booking) citizenInmate {
	quote := func(text string) string { return strings.ReplaceAll(text, "'", "`") }
	name := b.Name.Upper()
	row := citizenInmate{
		ID: int64(b.mark>>33) + 1, FirstName: quote(name.First), MiddleName: quote(name.Middle), LastName: quote(name.Last), Suffix: name.Suffix,
		DateOfBirth: b.Birth.Format("2006-01-02T15:04:05+00:00"), Age: ageAt(b.Birth, v.at), Gender: sexWord(b.Sex), Race: raceWord(b.Race),
		BookingNumber: b.Number, ArrestDate: b.Booked.In(v.zone).Format(time.RFC3339), ReleaseDate: noInstant, Agency: quote(b.Agency), TotalBond: "$0.00",
	}
	if b.mark>>20%6 == 0 && !b.Juvenile() {
		row.DateOfBirth = noInstant
	}
	if total, ok := b.Bond(); ok {
		row.TotalBond = "$" + dollars(total)
	}
	for i, charge := range b.Charges {
		c := citizenCharge{Sequence: i + 1, Statute: charge.Statute, Description: charge.Description, Level: charge.Grade}
		switch charge.Bond.Kind {
		case NoBond:
			c.BondType = "NO BOND"
		case BondSurety, BondCash:
			amount := float64(charge.Bond.Cents) / 100
			c.BondType, c.BondAmount = "Surety", &amount
		case BondUnset:
		}
		row.Charges = append(row.Charges, c)
	}
	if b.mark%2 == 0 {
		slices.Reverse(row.Charges)
	}
	return row
}
