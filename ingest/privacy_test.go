package ingest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
)

func TestADocumentThatAllowsPhotographsIsToldThatNoneAreKept(t *testing.T) {
	t.Parallel()
	for said, refused := range map[string]bool{"allow": true, "alow": true, "none": false} {
		_, err := ingest.Parse([]byte(stays + "privacy: {photographs: " + said + "}\n"))
		if refused {
			require.EqualError(t, err, `privacy.photographs: "`+said+`": photographs of sources are never kept, so there is nothing to allow; leave it out, or write none`)
		} else {
			require.NoError(t, err)
		}
	}
}
