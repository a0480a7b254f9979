package cmdtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// Snapshot writes a file of the source common-csv into dir and returns its path. The jail of Clarke County has
// these people at an instant, each of them booked at another. The first has this bond in dollars, and each next one a
// dollar more: one amount for all would be held. The instant is in the file's name too.
func Snapshot(tb testing.TB, dir string, names []string, booked, at time.Time, bond int) string {
	tb.Helper()
	var b strings.Builder
	b.WriteString("county_name,timestamp,url,inmate_id,inmate_lastname,inmate_firstname,inmate_middlename,inmate_sex,inmate_race,inmate_age,inmate_dob,inmate_address," +
		"booking_timestamp,release_timestamp,processing_numbers,agency,facility,charges,severity,bond_amount,current_status,court_dates,days_jailed,other,notes\n")
	for i, name := range names {
		last, given, _ := strings.Cut(name, ", ")
		fmt.Fprintf(&b, "Clarke,%s,http://jail.example.invalid/%d,A%d,%s,%s,,,,,,,%s,,PN-%d,ACCPD,Main,BATTERY,Misdemeanor,$%d.00,,,,,\n",
			civil(at), i, i, last, given, civil(booked), i, bond+i)
	}
	file := filepath.Join(dir, "clarke_"+at.In(models.Georgia).Format("2006-01-02_15-04-05")+".csv")
	require.NoError(tb, os.WriteFile(file, []byte(b.String()), 0o600))
	return file
}

// civil formats a time of Georgia as the file has it, without a zone.
func civil(t time.Time) string { return t.In(models.Georgia).Format("2006-01-02 15:04:05") }
