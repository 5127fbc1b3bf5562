import type { PublicList } from './public-lists'

/**
 * Public lists that were used to develop the rules for header words. If a header leaves open which field its column is,
 * the right fields are separated by a slash.
 */
export const LATER_LISTS: readonly PublicList[] = [
  {
    name: 'registered drugs of Colombia (CUM, datos.gov.co)',
    type: 'medication',
    header:
      'EXPEDIENTE|PRODUCTO|TITULAR|REGISTRO SANITARIO|ESTADO REGISTRO|CONSECUTIVO CUM|DESCRIPCIÓN COMERCIAL|ATC|DESCRIPCIÓN ATC|VÍA ADMINISTRACIÓN|PRINCIPIO ACTIVO|UNIDAD MEDIDA|CANTIDAD|FORMA FARMACÉUTICA',
    row: '38|ACETAMINOFEN 500 MG|LAFRANCOL|INVIMA 2008M-01|Vigente|1|CAJA POR 100|N02BE01|PARACETAMOL|ORAL|ACETAMINOFEN|mg|500|TABLETA',
    fields:
      '-/medication_id|name|manufacturer|-|is_active|-|-|therapy_class_id|-/therapy_class|-|generic_name|-|-|form_name',
  },
  {
    name: 'registered drugs of Portugal (Infarmed)',
    type: 'medication',
    header:
      'Substância Ativa/DCI|Nome do Medicamento|Forma Farmacêutica|Dosagem|Titular de AIM|Genérico|Estado da AIM|Comercialização',
    row: 'Abacavir|Ziagen|Comprimido revestido|300 mg|ViiV Healthcare|N|Autorizado|Comercializado',
    fields: 'generic_name|name|form_name|strength|manufacturer|-|is_active|-',
  },
  {
    name: 'essential drugs of Russia (ГРЛС)',
    type: 'medication',
    header:
      'МНН|Торговое наименование лекарственного препарата|Лекарственная форма, дозировка, упаковка (полная)|Владелец РУ/производитель/упаковщик|Код АТХ|Количество в потреб. упаковке|Предельная цена руб. без НДС|№ РУ|Дата регистрации цены|Штрих-код (EAN13)',
    row: 'Абакавир|Зиаген|таблетки 300 мг|ViiV Healthcare|J05AF06|60|1000|ЛП-001|01.02.2020|4601234567893',
    fields: 'generic_name|name|-/form_name|manufacturer|therapy_class_id|-|-|-|-|sku',
  },
  {
    name: 'registered drugs of Switzerland (Swissmedic)',
    type: 'medication',
    header:
      'Zulassungs-nummer|Dosisstärke-nummer|Bezeichnung des Arzneimittels|Zulassungsinhaberin|Heilmittelcode|IT-Nummer|ATC-Code|Erstzul.-datum|Packungscode|Packungsgrösse|Einheit|Abgabekategorie|Wirkstoff(e)|Zusammensetzung|Anwendungsgebiet',
    row: '00057|1|Coeur-Vaisseaux, suppositoire|Sérolab SA|Blutprodukte|08.07.|J06AA|26.04.2010|001|3|Suppositorien|B|globulina equina|globulina equina 8 mg|x',
    fields:
      '-/medication_id|-|name|manufacturer|-|-|therapy_class_id|-|-|-|-|-/schedule_code|generic_name|generic_list|-',
  },
  {
    name: 'interchangeable drugs of Italy (AIFA)',
    type: 'medication',
    header:
      'Principio attivo|Confezione di riferimento|ATC|AIC|Farmaco|Confezione|Ditta|Prezzo riferimento SSN|Prezzo Pubblico|Differenza|Nota|Codice gruppo equivalenza',
    row: 'acarbosio|40 unità 100 mg|A10BF01|26851028|Glucobay|40 compresse 100 mg|Bayer|7.16|7.16|0|x|AAA',
    fields: 'generic_name|-|therapy_class_id|-/medication_id/sku|name|-|manufacturer|-|-|-|-|-',
  },
  {
    name: 'registered drugs of Tunisia',
    type: 'medication',
    header:
      'Nom|Dosage|Forme|Présentation|DCI|Classe|Sous Classe|Laboratoire|AMM|Date AMM|Conditionnement primaire|Tableau|Durée de conservation|G/P/B',
    row: '3TC|150mg|Comprimé Pelliculé|B/60|LAMIVUDINE|INFECTIOLOGIE|ANTIVIRAUX|GSK|9133091|2000-01-01|Flacon|A|24|P',
    fields:
      'name|strength|form_name|-|generic_name|therapy_class|-|manufacturer|-/medication_id|-|-|-/schedule_code|-|-',
  },
  {
    name: 'registered drugs of Nigeria (NAFDAC)',
    type: 'medication',
    header:
      'Product Name|Active Ingredients|Product Category|NAFDAC Reg No|Form|ROA|Strengths|Applicant Name|Approval Date|Status',
    row: 'Zinnat|Cefuroxime|Drugs|04-1234|Tablet|Oral|250mg|GSK|2020-01-01|Active',
    fields: 'name|generic_name|-/therapy_class|-/medication_id|form_name|-|strength|manufacturer|-|is_active',
  },
  {
    name: 'prices of South Africa',
    type: 'medication',
    header:
      'Applicant Name|Medicine Proprietary Name|Regno|Nappi Code|ATC4|Schedule|Dosage Form|Pack Size|Num Packs|SEP|Generic / Originator',
    row: 'Adcock|Panado 500mg|A/2.7/123|712345|N02B|S0|TAB|24|1|20.50|Originator',
    fields: 'manufacturer|name|-/medication_id|-/medication_id/sku|-/therapy_class_id|schedule_code|form_name|-|-|-|-',
  },
  {
    name: 'drug directory of the United States (NDC)',
    type: 'medication',
    header:
      'PRODUCTID|PRODUCTNDC|PRODUCTTYPENAME|PROPRIETARYNAME|PROPRIETARYNAMESUFFIX|NONPROPRIETARYNAME|DOSAGEFORMNAME|ROUTENAME|MARKETINGCATEGORYNAME|APPLICATIONNUMBER|LABELERNAME|SUBSTANCENAME|ACTIVE_NUMERATOR_STRENGTH|ACTIVE_INGRED_UNIT|PHARM_CLASSES|DEASCHEDULE',
    row: '0002-0800_a|0002-0800|HUMAN OTC DRUG|Diluent|x|diluent|INJECTION|SUBCUTANEOUS|NDA|NDA018781|Lilly|WATER|1|mL|x|CII',
    fields:
      'medication_id|sku|-|name|-|generic_name|form_name|-|-|-|manufacturer|-/generic_list|strength|-|-/therapy_class|schedule_code',
  },
  {
    name: 'LOINC',
    type: 'lab_test',
    header:
      'LOINC_NUM|COMPONENT|PROPERTY|TIME_ASPCT|SYSTEM|SCALE_TYP|METHOD_TYP|CLASS|STATUS|CONSUMER_NAME|SHORTNAME|LONG_COMMON_NAME|EXAMPLE_UNITS',
    row: '2345-7|Glucose|MCnc|Pt|Ser/Plas|Qn|x|CHEM|ACTIVE|Glucose, Blood|Glucose SerPl-mCnc|Glucose [Mass/volume] in Serum|mg/dL',
    fields: 'loinc|-|-|-|-/specimen|-/result_type|-/method|-/discipline|is_active|-|display_name|name|-/unit',
  },
  {
    name: 'drugs of Peru (DIGEMID)',
    type: 'medication',
    header:
      'Cod_Prod|Nom_Prod|Concent|Nom_Form_Farm|Presentac|Fraccion|Num_RegSan|Nom_Titular|Nom_Fabricante|Nom_IFA|Nom_Rubro|Situacion',
    row: '15689|ABACAVIR|300 mg|Tableta|CAJA X 60|60|EE-01|HETERO|HETERO LABS|ABACAVIR|FARMACIA|Activo',
    fields: 'medication_id|name|strength|form_name|-|-|-|-|manufacturer|generic_name|-|is_active',
  },
  {
    name: 'diagnoses of Brazil (DATASUS)',
    type: 'diagnosis',
    header: 'SUBCAT|CLASSIF|RESTRSEXO|CAUSAOBITO|DESCRICAO|DESCRABREV|REFER|EXCLUIDOS',
    row: 'A000|x|F|N|Cólera devida a Vibrio cholerae 01|A00.0 Colera|x|x',
    fields: '-/diagnosis_id/icd10|-|-/gender|-|name|-/display_name|-|-',
  },
  {
    name: 'tests of a clinic in Bangladesh',
    type: 'lab_test',
    header: 'name|slug|shortName|category|description|specimen|preparation|normalRange|unit|isActive|metadata',
    row: 'Complete Blood Count|cbc|CBC|BLOOD|Evaluates cells|Blood|None|4-10|g/dL|True|{}',
    fields: 'name|-/lab_test_id|display_name|discipline|-|specimen|-|-|unit|is_active|-',
  },
  {
    name: 'tests of laboratories in Chile',
    type: 'lab_test',
    header: 'codigo|nombre|precio|laboratorio',
    row: '303030|17 - BETA ESTRADIOL|8845|integramédica',
    fields: 'lab_test_id|name|-|-',
  },
  {
    name: 'registered drugs of Algeria',
    type: 'medication',
    header:
      "N°ENREGISTREMENT|CODE|DENOMINATION COMMUNE INTERNATIONALE|NOM DE MARQUE|FORME|DOSAGE|CONDITIONNEMENT|LISTE|LABORATOIRES DETENTEUR DE LA DECISION D'ENREGISTREMENT|PAYS DU LABORATOIRE|TYPE",
    row: '001|01 A 003|CETIRIZINE|ARTIZ|COMP. PELLI.|10MG|B/15|LISTE I|EL KENDI|ALGERIE|GE',
    fields: '-|medication_id|generic_name|name|form_name|strength|-|-/schedule_code|manufacturer|-|-',
  },
  {
    name: 'reimbursed drugs of Morocco (ANAM)',
    type: 'medication',
    header:
      'CODE|NOM|DCI1|DOSAGE1|UNITE_DOSAGE1|FORME|PRESENTATION|PPV|PH|PRIX_BR|PRINCEPS_GENERIQUE|TAUX_REMBOURSEMENT',
    row: '6118000040002|5 FU HIKMA|FLUOROURACILE|500|MG|SOLUTION INJECTABLE|1 FLACON|80|40|80|G|70%',
    fields: 'medication_id|name|generic_name|strength|-|form_name|-|-|-|-|-|-',
  },
  {
    name: 'reimbursed drugs of Spain (Nomenclátor)',
    type: 'medication',
    header:
      'Código Nacional|Nombre del producto farmacéutico|Tipo de fármaco|Principio activo o asociación de principios activos|Laboratorio ofertante|Estado|Fecha alta en el nomenclátor|Precio venta al público con IVA|Precio de referencia',
    row: '600000|AMOXICILINA 500 MG|GENERICO|AMOXICILINA|NORMON|ALTA|01/01/2020|3.12|3.12',
    fields: 'medication_id/sku|name|-|generic_name|manufacturer|-/is_active|-|-|-',
  },
  {
    name: 'registered drugs of Brazil (ANVISA)',
    type: 'medication',
    header:
      'TIPO_PRODUTO|NOME_PRODUTO|DATA_FINALIZACAO_PROCESSO|CATEGORIA_REGULATORIA|NUMERO_REGISTRO_PRODUTO|DATA_VENCIMENTO_REGISTRO|NUMERO_PROCESSO|CLASSE_TERAPEUTICA|EMPRESA_DETENTORA_REGISTRO|SITUACAO_REGISTRO|PRINCIPIO_ATIVO',
    row: 'MEDICAMENTO|NOVALGINA|01/01/2000|Similar|183260351|01/2030|25351|ANALGESICOS|12345 - SANOFI|VÁLIDO|DIPIRONA',
    fields: '-|name|-|-|-/medication_id|-|-|therapy_class|manufacturer|is_active|generic_name',
  },
  {
    name: 'prices of Brazil (CMED)',
    type: 'medication',
    header:
      'SUBSTÂNCIA|CNPJ|LABORATÓRIO|CÓDIGO GGREM|REGISTRO|EAN 1|PRODUTO|APRESENTAÇÃO|CLASSE TERAPÊUTICA|TIPO DE PRODUTO (STATUS DO PRODUTO)|REGIME DE PREÇO|PF Sem Impostos|TARJA',
    row: 'ABATACEPTE|56.998|BMS|5051|1018|7896016806469|ORENCIA|250 MG PO LIOF|M01C0|Biológico|Regulado|1000|Vermelha',
    fields: 'generic_name|-|manufacturer|-/medication_id|-|sku|name|-|therapy_class|-|-|-|-/schedule_code',
  },
  {
    name: 'interchangeable drugs of an Italian region',
    type: 'medication',
    header:
      'Principio Attivo|Descrizione Gruppo Equivalenza|Denominazione e Confezione|Prezzo al pubblico €|Titolare AIC|Codice AIC|Codice Gruppo Equivalenza',
    row: 'Acarbosio|ACARBOSIO 100MG 40 UNITA|ACARPHAGE*40 cpr 100 mg|5.50|Bayer|041234567|AAA',
    fields: 'generic_name|-|name|-|manufacturer|-/medication_id/sku|-',
  },
  {
    name: 'drug shortages of Italy (AIFA)',
    type: 'medication',
    header:
      'Nome medicinale|Codice AIC|Principio attivo|Forma farmaceutica e dosaggio|Titolare AIC|Data inizio|Fine presunta|Equivalente|Motivazioni|Nota AIFA|Classe di rimborsabilità|Codice ATC',
    row: 'ABASAGLAR|043658012|insulina glargine|100 unità/ml soluzione|Lilly|01/01/2024|01/06/2024|Si|x|x|A|A10AE04',
    fields: 'name|-/medication_id/sku|generic_name|-/form_name/strength|manufacturer|-|-|-|-|-|-|therapy_class_id',
  },
  {
    name: 'tests of a hospital laboratory in Austria',
    type: 'lab_test',
    header: 'Untersuchung|Wohin|Schein|Material|Röhrchen|Bemerkungen|Gruppe',
    row: 'Albumin im Serum|ZL|A|Blut|Heparin-Plasma|x|Klinische Chemie',
    fields: 'name|-|-|specimen|-|-|discipline',
  },
  {
    name: 'drugs of the United Arab Emirates (DOH)',
    type: 'medication',
    header:
      'Drug Code|Insurance Plan|Package Name|Generic Code|Generic Name|Strength|Dosage Form|Package Size|Dispense Mode|Package Price to Public|Status|Delete Effective Date|Last Change Date|Agent Name|Manufacturer Name',
    row: 'B46-4387-00778-01|Thiqa|Panadol|0123|Paracetamol|500mg|Tablet|24|OTC|10|Active|x|2024-01-01|Modern|GSK',
    fields: 'medication_id|-|name|generic_id|generic_name|strength|form_name|-|-|-|is_active|-|-|-|manufacturer',
  },
  {
    name: 'drugs of Saudi Arabia (SFDA)',
    type: 'medication',
    header:
      'RegisterNumber|Product type|DrugType|Scientific Name|Trade Name|Strength|StrengthUnit|PharmaceuticalForm|AdministrationRoute|AtcCode1|Size|PackageTypes|Legal Status|ManufacturerName|MarketingCompany|Public price|AuthorizationStatus',
    row: '1-5-00|Human|Generic|PARACETAMOL|PANADOL|500|mg|Tablet|Oral|N02BE01|24|Blister|OTC|GSK|GSK|10|Valid',
    fields:
      '-/medication_id|-|-|generic_name|name|strength|-|form_name|-|therapy_class_id|-|-|-/schedule_code|manufacturer|-|-|is_active',
  },
  {
    name: 'brands of Bangladesh',
    type: 'medication',
    header: 'brand id|brand name|type|slug|dosage form|generic|strength|manufacturer|package container|Package Size',
    row: '4077|A-Cold|allopathic|a-cold|Syrup|Bromhexine|4 mg/5 ml|ACME|100 ml bottle|x',
    fields: 'medication_id|name|-|-|form_name|generic_name|strength|manufacturer|-|-',
  },
  {
    name: 'drugs of pharmacies in Venezuela',
    type: 'medication',
    header:
      'codigo|codbarras|descripcion_original|principio_activo|concentracion|forma_farmaceutica|codigo_atc|requiere_recipe|generico|fabricante|cantidad_presentacion|contenido_neto',
    row: '00001|7591|ACETAMINOFEN 500MG|Acetaminofén|500 mg|Tableta|N02BE01|NO|SI|Genven|20|x',
    fields: 'medication_id|sku|name|generic_name|strength|form_name|therapy_class_id|-|-|manufacturer|-|-',
  },
  {
    name: 'registered drugs of the Philippines',
    type: 'medication',
    header:
      'Registration Number|Generic Name|Brand Name|Dosage Strength|Dosage Form|Classification|Packaging|Pharmacologic Category|Manufacturer|Country of Origin|Trader|Importer|Distributor',
    row: 'DR-XY1|Paracetamol|Biogesic|500 mg|Tablet|OTC|Box|Analgesic|Unilab|Philippines|x|x|x',
    fields: '-/medication_id|generic_name|name|strength|form_name|-/schedule_code|-|therapy_class|manufacturer|-|-|-|-',
  },
  {
    name: 'diagnoses of a hospital in France',
    type: 'diagnosis',
    header: 'maladie_id|nom_maladie|code_cim10|categorie|gravite|est_chronique',
    row: 'M01|Infarctus du myocarde|I21|Cardiovasculaire|5|0',
    fields: 'diagnosis_id|name|icd10|-|-|-',
  },
  {
    name: 'diagnoses of a hospital in Peru',
    type: 'diagnosis',
    header: 'id|name|category_code|disease_code|created_at|updated_at',
    row: '1|A000 - Colera|A00|0|x|x',
    fields: 'diagnosis_id|name|-|-|-|-',
  },
]
