-- Counties, and the functions that tables, indexes and queries use.
-- +goose Up

create extension if not exists pg_trgm;                    -- indexes for searches within names

-- ---------------------------------------------------------------- counties

create table counties (
  id   smallint primary key,                               -- last three digits of the FIPS code
  slug text collate "C" not null unique check (slug ~ '^[a-z][a-z-]*$'),
  name text not null unique,
  fips text not null unique check (fips ~ '^13[0-9]{3}$')  -- Census code of the county
);

-- The 159 counties of Georgia. Package migrations reads these rows too (Counties).
insert into counties (id, slug, name, fips) values
  (1, 'appling', 'Appling', '13001'),
  (3, 'atkinson', 'Atkinson', '13003'),
  (5, 'bacon', 'Bacon', '13005'),
  (7, 'baker', 'Baker', '13007'),
  (9, 'baldwin', 'Baldwin', '13009'),
  (11, 'banks', 'Banks', '13011'),
  (13, 'barrow', 'Barrow', '13013'),
  (15, 'bartow', 'Bartow', '13015'),
  (17, 'ben-hill', 'Ben Hill', '13017'),
  (19, 'berrien', 'Berrien', '13019'),
  (21, 'bibb', 'Bibb', '13021'),
  (23, 'bleckley', 'Bleckley', '13023'),
  (25, 'brantley', 'Brantley', '13025'),
  (27, 'brooks', 'Brooks', '13027'),
  (29, 'bryan', 'Bryan', '13029'),
  (31, 'bulloch', 'Bulloch', '13031'),
  (33, 'burke', 'Burke', '13033'),
  (35, 'butts', 'Butts', '13035'),
  (37, 'calhoun', 'Calhoun', '13037'),
  (39, 'camden', 'Camden', '13039'),
  (43, 'candler', 'Candler', '13043'),
  (45, 'carroll', 'Carroll', '13045'),
  (47, 'catoosa', 'Catoosa', '13047'),
  (49, 'charlton', 'Charlton', '13049'),
  (51, 'chatham', 'Chatham', '13051'),
  (53, 'chattahoochee', 'Chattahoochee', '13053'),
  (55, 'chattooga', 'Chattooga', '13055'),
  (57, 'cherokee', 'Cherokee', '13057'),
  (59, 'clarke', 'Clarke', '13059'),
  (61, 'clay', 'Clay', '13061'),
  (63, 'clayton', 'Clayton', '13063'),
  (65, 'clinch', 'Clinch', '13065'),
  (67, 'cobb', 'Cobb', '13067'),
  (69, 'coffee', 'Coffee', '13069'),
  (71, 'colquitt', 'Colquitt', '13071'),
  (73, 'columbia', 'Columbia', '13073'),
  (75, 'cook', 'Cook', '13075'),
  (77, 'coweta', 'Coweta', '13077'),
  (79, 'crawford', 'Crawford', '13079'),
  (81, 'crisp', 'Crisp', '13081'),
  (83, 'dade', 'Dade', '13083'),
  (85, 'dawson', 'Dawson', '13085'),
  (87, 'decatur', 'Decatur', '13087'),
  (89, 'dekalb', 'DeKalb', '13089'),
  (91, 'dodge', 'Dodge', '13091'),
  (93, 'dooly', 'Dooly', '13093'),
  (95, 'dougherty', 'Dougherty', '13095'),
  (97, 'douglas', 'Douglas', '13097'),
  (99, 'early', 'Early', '13099'),
  (101, 'echols', 'Echols', '13101'),
  (103, 'effingham', 'Effingham', '13103'),
  (105, 'elbert', 'Elbert', '13105'),
  (107, 'emanuel', 'Emanuel', '13107'),
  (109, 'evans', 'Evans', '13109'),
  (111, 'fannin', 'Fannin', '13111'),
  (113, 'fayette', 'Fayette', '13113'),
  (115, 'floyd', 'Floyd', '13115'),
  (117, 'forsyth', 'Forsyth', '13117'),
  (119, 'franklin', 'Franklin', '13119'),
  (121, 'fulton', 'Fulton', '13121'),
  (123, 'gilmer', 'Gilmer', '13123'),
  (125, 'glascock', 'Glascock', '13125'),
  (127, 'glynn', 'Glynn', '13127'),
  (129, 'gordon', 'Gordon', '13129'),
  (131, 'grady', 'Grady', '13131'),
  (133, 'greene', 'Greene', '13133'),
  (135, 'gwinnett', 'Gwinnett', '13135'),
  (137, 'habersham', 'Habersham', '13137'),
  (139, 'hall', 'Hall', '13139'),
  (141, 'hancock', 'Hancock', '13141'),
  (143, 'haralson', 'Haralson', '13143'),
  (145, 'harris', 'Harris', '13145'),
  (147, 'hart', 'Hart', '13147'),
  (149, 'heard', 'Heard', '13149'),
  (151, 'henry', 'Henry', '13151'),
  (153, 'houston', 'Houston', '13153'),
  (155, 'irwin', 'Irwin', '13155'),
  (157, 'jackson', 'Jackson', '13157'),
  (159, 'jasper', 'Jasper', '13159'),
  (161, 'jeff-davis', 'Jeff Davis', '13161'),
  (163, 'jefferson', 'Jefferson', '13163'),
  (165, 'jenkins', 'Jenkins', '13165'),
  (167, 'johnson', 'Johnson', '13167'),
  (169, 'jones', 'Jones', '13169'),
  (171, 'lamar', 'Lamar', '13171'),
  (173, 'lanier', 'Lanier', '13173'),
  (175, 'laurens', 'Laurens', '13175'),
  (177, 'lee', 'Lee', '13177'),
  (179, 'liberty', 'Liberty', '13179'),
  (181, 'lincoln', 'Lincoln', '13181'),
  (183, 'long', 'Long', '13183'),
  (185, 'lowndes', 'Lowndes', '13185'),
  (187, 'lumpkin', 'Lumpkin', '13187'),
  (189, 'mcduffie', 'McDuffie', '13189'),
  (191, 'mcintosh', 'McIntosh', '13191'),
  (193, 'macon', 'Macon', '13193'),
  (195, 'madison', 'Madison', '13195'),
  (197, 'marion', 'Marion', '13197'),
  (199, 'meriwether', 'Meriwether', '13199'),
  (201, 'miller', 'Miller', '13201'),
  (205, 'mitchell', 'Mitchell', '13205'),
  (207, 'monroe', 'Monroe', '13207'),
  (209, 'montgomery', 'Montgomery', '13209'),
  (211, 'morgan', 'Morgan', '13211'),
  (213, 'murray', 'Murray', '13213'),
  (215, 'muscogee', 'Muscogee', '13215'),
  (217, 'newton', 'Newton', '13217'),
  (219, 'oconee', 'Oconee', '13219'),
  (221, 'oglethorpe', 'Oglethorpe', '13221'),
  (223, 'paulding', 'Paulding', '13223'),
  (225, 'peach', 'Peach', '13225'),
  (227, 'pickens', 'Pickens', '13227'),
  (229, 'pierce', 'Pierce', '13229'),
  (231, 'pike', 'Pike', '13231'),
  (233, 'polk', 'Polk', '13233'),
  (235, 'pulaski', 'Pulaski', '13235'),
  (237, 'putnam', 'Putnam', '13237'),
  (239, 'quitman', 'Quitman', '13239'),
  (241, 'rabun', 'Rabun', '13241'),
  (243, 'randolph', 'Randolph', '13243'),
  (245, 'richmond', 'Richmond', '13245'),
  (247, 'rockdale', 'Rockdale', '13247'),
  (249, 'schley', 'Schley', '13249'),
  (251, 'screven', 'Screven', '13251'),
  (253, 'seminole', 'Seminole', '13253'),
  (255, 'spalding', 'Spalding', '13255'),
  (257, 'stephens', 'Stephens', '13257'),
  (259, 'stewart', 'Stewart', '13259'),
  (261, 'sumter', 'Sumter', '13261'),
  (263, 'talbot', 'Talbot', '13263'),
  (265, 'taliaferro', 'Taliaferro', '13265'),
  (267, 'tattnall', 'Tattnall', '13267'),
  (269, 'taylor', 'Taylor', '13269'),
  (271, 'telfair', 'Telfair', '13271'),
  (273, 'terrell', 'Terrell', '13273'),
  (275, 'thomas', 'Thomas', '13275'),
  (277, 'tift', 'Tift', '13277'),
  (279, 'toombs', 'Toombs', '13279'),
  (281, 'towns', 'Towns', '13281'),
  (283, 'treutlen', 'Treutlen', '13283'),
  (285, 'troup', 'Troup', '13285'),
  (287, 'turner', 'Turner', '13287'),
  (289, 'twiggs', 'Twiggs', '13289'),
  (291, 'union', 'Union', '13291'),
  (293, 'upson', 'Upson', '13293'),
  (295, 'walker', 'Walker', '13295'),
  (297, 'walton', 'Walton', '13297'),
  (299, 'ware', 'Ware', '13299'),
  (301, 'warren', 'Warren', '13301'),
  (303, 'washington', 'Washington', '13303'),
  (305, 'wayne', 'Wayne', '13305'),
  (307, 'webster', 'Webster', '13307'),
  (309, 'wheeler', 'Wheeler', '13309'),
  (311, 'white', 'White', '13311'),
  (313, 'whitfield', 'Whitfield', '13313'),
  (315, 'wilcox', 'Wilcox', '13315'),
  (317, 'wilkes', 'Wilkes', '13317'),
  (319, 'wilkinson', 'Wilkinson', '13319'),
  (321, 'worth', 'Worth', '13321');

-- ---------------------------------------------------------------- time

-- None of the functions below that contain a case or a greatest is strict. The planner inlines a function only if it
-- can prove that a strict one returns null for null, and a call that is not inlined costs ten times as much. These
-- return null for null anyway.

-- Civil time in Georgia. The rules of 2007, 1987 and 1967 are written out, so that no zone database is needed.
create function georgia_clock(t timestamptz) returns timestamp language sql immutable parallel safe
  return t at time zone case when t >= '2007-01-01 00:00+00' then 'EST5EDT,M3.2.0,M11.1.0'
                             when t >= '1987-01-01 00:00+00' then 'EST5EDT,M4.1.0,M10.5.0'
                             else 'EST5EDT,M4.5.0,M10.5.0' end;

-- An instant as history writes it: RFC 3339 in UTC with microseconds.
create function instant(t timestamptz) returns text language sql immutable strict parallel safe
  return to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

-- Whether a person was under 17 on a day. If only the year of birth is known, whether the person may have been.
-- +goose StatementBegin
create function minor_on(day date, dob date, birth_year smallint) returns boolean
  language sql immutable parallel safe as $$
  select coalesce(dob > day - interval '17 years', extract(year from day) - birth_year < 18, false)
$$;
-- +goose StatementEnd

-- Whether a person was under 17, or may have been, when a booking that a case names began: up to two years before the
-- case was filed. Without a stated day of filing everybody with a birth may have been (resolve/court, MinorBefore).
-- +goose StatementBegin
create function minor_before(filed date, inferred boolean, dob date, birth_year smallint) returns boolean
  language sql immutable parallel safe as $$
  select (dob is not null or birth_year is not null)
    and (inferred or minor_on((filed - interval '2 years')::date, dob, birth_year))
$$;
-- +goose StatementEnd

-- ---------------------------------------------------------------- names

-- The words of a folded name in alphabetical order. It compares names whose words are in different orders.
create function sorted_words(name_key text) returns text language sql immutable strict parallel safe
  return (select string_agg(w, ' ' order by w collate "C") from unnest(string_to_array(name_key, ' ')) w);

-- ---------------------------------------------------------------- numbers

-- The sequence part of a booking's id: at least six digits.
create function record_number(n bigint) returns text language sql immutable parallel safe
  return lpad(n::text, greatest(6, length(n::text)), '0');

-- A booking number in the form in which numbers are compared. Courts and jails differ in blanks, dashes and case.
-- +goose StatementBegin
create function booking_number(said text) returns text language sql immutable parallel safe as $$
  select nullif(upper(regexp_replace(said, '[^[:alnum:]]', '', 'g')), '')
$$;
-- +goose StatementEnd

-- ---------------------------------------------------------------- hearings

-- The value of a hearing in record_changes: all that is published of it as JSON, null if it is cancelled.
create function hearing_text(
  cancelled boolean, starts_at timestamptz, day date, clock text, kind text, judge text, location text, link text
) returns text language sql immutable parallel safe
  return case when not cancelled then
    jsonb_strip_nulls(jsonb_build_object('startsAt', instant(starts_at), 'date', day::text, 'time', clock, 'kind', kind,
                                         'judge', judge, 'location', location, 'link', link))::text end;
