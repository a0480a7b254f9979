package value

import (
	"net/url"
	"strings"
)

// NoLink is the reason under which an address is counted that is not OfTheWeb.
const NoLink = "is no http or https address"

// OfTheWeb reports whether readers may follow an address with a click: it is one whole http or https address. All other
// schemes (`javascript:` above all) would run with the reader's rights.
func OfTheWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && !strings.ContainsAny(address, " \t\r\n\"<>\\")
}
