package migrations

import (
	"fmt"
	"regexp"
	"strconv"
)

// County is a row of counties that 0013_reference.sql writes. models.County is the same county as
// records show it.
type County struct {
	// ID is the number by which tables refer to the county. It never changes.
	ID int16
	// Slug is the name in requests and ids, such as ben-hill; Name is the one that is shown, Ben
	// Hill.
	Slug string
	Name string
	// FIPS is the five-digit federal code: the state's 13 and the county's three digits.
	FIPS string
}

// countyRow finds the rows in the text of the migration.
var countyRow = regexp.MustCompile(`\((\d+), '([a-z-]+)', '([^']+)', '(\d{5})'\)`)

// Counties returns the counties of Georgia as the schema has them, for code that runs without a
// database, such as the demo.
func Counties() ([]County, error) {
	text, err := files.ReadFile("0013_reference.sql")
	if err != nil {
		return nil, fmt.Errorf("read counties: %w", err)
	}
	var all []County
	for _, m := range countyRow.FindAllSubmatch(text, -1) {
		id, err := strconv.ParseInt(string(m[1]), 10, 16)
		if err != nil {
			return nil, fmt.Errorf("read counties: %w", err)
		}
		all = append(all, County{ID: int16(id), Slug: string(m[2]), Name: string(m[3]), FIPS: string(m[4])})
	}
	return all, nil
}
