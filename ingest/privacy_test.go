package ingest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
)

func TestPhotographsNeedAReasonAndAField(t *testing.T) {
	t.Parallel()

	for said, want := range map[string]string{
		"none": "", "''": "",
		"allow": `privacy.photographs: "allow" is not a reason: name the statute or the agreement by which photographs may be taken and shown, or write none
privacy.photographs: allows photographs, and no field names them: map fields.booking.photograph, or write none`,
		"Agreement with the sheriff of 2 March 2026": `privacy.photographs: allows photographs, and no field names them: map fields.booking.photograph, or write none`,
	} {
		_, err := ingest.Parse([]byte(stays + "privacy: {photographs: " + said + "}\n"))
		if want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, want)
		}
	}
}

func TestPhotographsNeedAShortPause(t *testing.T) {
	t.Parallel()
	for pause, fits := range map[string]bool{"30s": true, "31s": false} {
		document := stays + "transport: {kind: http, pause: " + pause + "}\n"
		_, err := ingest.Parse([]byte(document + "privacy: {photographs: Agreement with the sheriff of 2 March 2026}\n"))
		require.Equal(t, !fits, strings.Contains(err.Error(), "transport.pause: is longer than 30s"), err)
	}
}
