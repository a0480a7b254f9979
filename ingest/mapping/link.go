package mapping

import (
	"net/url"
	"strings"

	"rollcall/ingest/decode"
)

// link gives the address of a virtual hearing. Readers follow it by a click, so one that is no address of the web
// (`javascript:...`, a meeting's number, two addresses) is left out and counted; the hearing stays.
func (m *Mapper) link(f *field, rec decode.Fields) (string, *Rejected) {
	said, bad := f.text(rec)
	if bad != nil || said == "" {
		return "", bad
	}
	if !OfTheWeb(said) {
		bad = reject(f.name, NoLink)
		bad.value = said
		m.drop(bad)
		return "", nil
	}
	return said, nil
}

// NoLink is why a link is left out that is not OfTheWeb.
const NoLink = "is no http or https address"

// OfTheWeb tells whether readers may follow an address by a click: one whole http or https address.
func OfTheWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && !strings.ContainsAny(address, " \t\r\n\"<>\\")
}
