/// The languages that the built-in variable `lang` stands for.
///
/// A fixed table, never the machine's locale data, which differs from one system to the next.
package enum LanguageCodes {
    /// The 183 codes of ISO 639-1 and the 486 terminological ones of ISO 639-2; lower case, sorted.
    ///
    /// Neither the withdrawn `bh` and `sh` nor the range for local use, `qaa` to `qtz`, is among them. That these are the
    /// codes meant is a decision: matching.md, section 5.
    package static let all: [String] = text.split(whereSeparator: \.isWhitespace).map(String.init)

    private static let text = """
        aa aar ab abk ace ach ada ady ae af afa afh afr ain ak aka akk ale alg alt am amh an ang anp apa ar ara arc
        arg arn arp art arw as asm ast ath aus av ava ave awa ay aym az aze ba bad bai bak bal bam ban bas bat be bej
        bel bem ben ber bg bho bi bih bik bin bis bla bm bn bnt bo bod bos br bra bre bs btk bua bug bul byn ca cad
        cai car cat cau ce ceb cel ces ch cha chb che chg chk chm chn cho chp chr chu chv chy cmc cnr co cop cor cos
        cpe cpf cpp cr cre crh crp cs csb cu cus cv cy cym da dak dan dar day de del den deu dgr din div doi dra dsb
        dua dum dv dyu dz dzo ee efi egy eka el ell elx en eng enm eo epo es est et eu eus ewe ewo fa fan fao fas fat
        ff fi fij fil fin fiu fj fo fon fr fra frm fro frr frs fry ful fur fy ga gaa gay gba gd gem gez gil gl gla gle
        glg glv gmh gn goh gon gor got grb grc grn gsw gu guj gv gwi ha hai hat hau haw he heb her hi hil him hin hit
        hmn hmo ho hr hrv hsb ht hu hun hup hy hye hz ia iba ibo id ido ie ig ii iii ijo ik iku ile ilo ina inc ind
        ine inh io ipk ira iro is isl it ita iu ja jav jbo jpn jpr jrb jv ka kaa kab kac kal kam kan kar kas kat kau
        kaw kaz kbd kg kha khi khm kho ki kik kin kir kj kk kl km kmb kn ko kok kom kon kor kos kpe kr krc krl kro kru
        ks ku kua kum kur kut kv kw ky la lad lah lam lao lat lav lb lez lg li lim lin lit ln lo lol loz lt ltz lu lua
        lub lug lui lun luo lus lv mad mag mah mai mak mal man map mar mas mdf mdr men mg mga mh mi mic min mis mk mkd
        mkh ml mlg mlt mn mnc mni mno moh mon mos mr mri ms msa mt mul mun mus mwl mwr my mya myn myv na nah nai nap
        nau nav nb nbl nd nde ndo nds ne nep new ng nia nic niu nl nld nn nno no nob nog non nor nqo nr nso nub nv nwc
        ny nya nym nyn nyo nzi oc oci oj oji om or ori orm os osa oss ota oto pa paa pag pal pam pan pap pau peo phi
        phn pi pl pli pol pon por pra pro ps pt pus qu que raj rap rar rm rn ro roa roh rom ron ru run rup rus rw sa
        sad sag sah sai sal sam san sas sat sc scn sco sd se sel sem sg sga sgn shn si sid sin sio sit sk sl sla slk
        slv sm sma sme smi smj smn smo sms sn sna snd snk so sog som son sot spa sq sqi sr srd srn srp srr ss ssa ssw
        st su suk sun sus sux sv sw swa swe syc syr ta tah tai tam tat te tel tem ter tet tg tgk tgl th tha ti tig tir
        tiv tk tkl tl tlh tli tmh tn to tog ton tpi tr ts tsi tsn tso tt tuk tum tup tur tut tvl tw twi ty tyv udm ug
        uga uig uk ukr umb und ur urd uz uzb vai ve ven vi vie vo vol vot wa wak wal war was wen wln wo wol xal xh xho
        yao yap yi yid yo yor ypk za zap zbl zen zgh zh zha zho znd zu zul zun zxx zza
        """
}
