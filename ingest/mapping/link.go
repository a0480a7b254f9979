package mapping

import (
	"rollcall/ingest/decode"
	"rollcall/ingest/value"
)

// link returns the address of a virtual hearing, empty where there is none. Readers follow it by a click, so
// one that is no address of the web (`javascript:...`, a meeting's number, two addresses) is left out and
// counted; the hearing stays.
func (m *Mapper) link(f *field, rec decode.Fields) (string, *Rejected) {
	said, bad := f.text(rec)
	if bad != nil || said == "" {
		return "", bad
	}
	// `javascript:` would run with the rights of the reader's page.
	if !value.OfTheWeb(said) {
		bad = reject(f.name, value.NoLink)
		bad.value = said
		m.drop(bad)
		return "", nil
	}
	return said, nil
}
